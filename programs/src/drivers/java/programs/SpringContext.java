package programs;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Spring: threads that start application contexts and ask for beans, one of them shared. */
public final class SpringContext {
    private SpringContext() {
    }

    /** The arguments are threads and contexts of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        try (AnnotationConfigApplicationContext shared = new AnnotationConfigApplicationContext(Beans.class)) {
            Team.print(Integer.parseInt(arguments[0]), number -> {
                Digest digest = new Digest();
                SpelExpressionParser parser = new SpelExpressionParser();
                for (int i = 0; i < size; i++) {
                    try (AnnotationConfigApplicationContext own = new AnnotationConfigApplicationContext(Beans.class)) {
                        for (int k = 0; k < 20; k++) {
                            digest.add(own.getBean(Greeter.class).greet(k)).add(shared.getBean(Greeter.class).greet(k));
                            digest.add(parser.parseExpression("greet(" + k + ").length() * 2 + name").getValue(own.getBean(Greeter.class)));
                        }
                    }
                }
                return digest;
            });
        }
    }

    /** The beans. */
    @Configuration
    public static class Beans {
        /** A singleton. */
        @Bean
        public Dictionary dictionary() {
            return new Dictionary();
        }

        /** A prototype: a new instance for each request. */
        @Bean
        @Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
        public Greeter greeter() {
            return new Greeter();
        }
    }

    /** Words. */
    public static class Dictionary {
        /** A word. */
        public String word(int number) {
            return "word " + number;
        }
    }

    /** Uses the words. */
    public static class Greeter {
        private Dictionary dictionary;

        /** Injects. */
        @Autowired
        public void setDictionary(Dictionary dictionary) {
            this.dictionary = dictionary;
        }

        /** A greeting. */
        public String greet(int number) {
            return "hello " + dictionary.word(number);
        }

        /** A property. */
        public String getName() {
            return dictionary.word(0);
        }
    }
}
