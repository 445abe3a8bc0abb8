package online;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;

/** Issue 6227: the properties of a class are collected at the first request for them, and another thread collects them at the same time. */
public final class Jackson {
    private Jackson() {
    }

    public static void main(String[] args) throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        mapper.setAnnotationIntrospector(new Stopping());
        BeanDescription description = mapper.getSerializationConfig().introspect(mapper.constructType(Bean.class));
        Race.run(() -> description.findProperties().size(), () -> description.findProperties().size());
    }

    /** Has two properties. */
    static final class Bean {
        public int first;
        public int second;
    }

    /** The first thread stops where the order of the properties is requested. */
    private static final class Stopping extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public String[] findSerializationPropertyOrder(AnnotatedClass type) {
            Race.gate();
            return super.findSerializationPropertyOrder(type);
        }
    }
}
