package loose;

import org.apache.commons.beanutils.PropertyUtilsBean;
import org.apache.commons.beanutils.WrapDynaClass;

/** BEANUTILS-509: both threads ask for the description of a class. */
public final class Beans {
    private Beans() {
    }

    public static void main(String[] args) throws Exception {
        Object[] utilities = Both.objects(300, round -> new PropertyUtilsBean());
        Both.Part ask = round -> WrapDynaClass.createDynaClass(String.class, (PropertyUtilsBean) utilities[round]);
        Both.run(300, ask, ask);
    }
}
