package loose;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Issue 6227: both threads ask descriptions of a class for its properties. */
public final class Jackson {
    private Jackson() {
    }

    public static void main(String[] args) throws Exception {
        Object[] descriptions = Both.objects(500, round -> {
            ObjectMapper mapper = new ObjectMapper();
            return mapper.getSerializationConfig().introspect(mapper.constructType(Bean.class));
        });
        Both.Part ask = round -> ((BeanDescription) descriptions[round]).findProperties();
        Both.run(500, ask, ask);
    }

    /** Has two properties. */
    static final class Bean {
        public int first;
        public int second;
    }
}
