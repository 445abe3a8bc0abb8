package online;

import java.beans.PropertyDescriptor;

import org.apache.commons.beanutils.PropertyUtilsBean;
import org.apache.commons.beanutils.WrapDynaClass;

/** BEANUTILS-509: the description of a class is looked up in a map shared by all threads, and then put there. */
public final class Beans {
    private Beans() {
    }

    public static void main(String[] args) throws Exception {
        PropertyUtilsBean utilities = new Stopping();
        WrapDynaClass[] made = new WrapDynaClass[2];
        Race.run(Race.done(() -> made[0] = WrapDynaClass.createDynaClass(String.class, utilities)),
            Race.done(() -> made[1] = WrapDynaClass.createDynaClass(String.class, utilities)));
        System.out.println("the same: " + (made[0] == made[1]));
    }

    /** The first thread stops where it asks for the properties of a class. */
    private static final class Stopping extends PropertyUtilsBean {
        @Override
        public PropertyDescriptor[] getPropertyDescriptors(Class<?> type) {
            Race.gate();
            return super.getPropertyDescriptors(type);
        }
    }
}
