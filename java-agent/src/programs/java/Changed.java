import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;

/** A program that is also a second agent: it redefines and retransforms a class in use. */
public class Changed {
    private static Instrumentation instrumentation;

    public static void premain(String options, Instrumentation given) {
        instrumentation = given;
    }

    static class Counter {
        private int n;

        synchronized int next() {
            return ++n;
        }

        void reset() {
            n = n > 100 ? 0 : n;
        }
    }

    // As they return, the arrays have left the methods that made them, whatever is done with them then.
    private static Class<?>[] types() {
        return new Class<?>[] {Counter.class};
    }

    private static ClassDefinition[] definitions() throws IOException {
        try (InputStream in = Changed.class.getResourceAsStream(Counter.class.getName() + ".class")) {
            return new ClassDefinition[] {new ClassDefinition(Counter.class, in.readAllBytes())};
        }
    }

    public static void main(String[] args) throws Exception {
        Counter counter = new Counter();
        counter.next();
        // What follows makes the same accesses whatever is done.
        Instrumentation agent = instrumentation;
        Class<?>[] types = types();
        ClassDefinition[] definitions = definitions();
        if (args[0].equals("redefine")) {
            agent.redefineClasses(definitions);
        } else if (args[0].equals("retransform")) {
            agent.retransformClasses(types);
        }
        counter.reset();
        System.out.println(counter.next());
        Thread thread = new Thread(counter::next);
        thread.start();
        thread.join();
        System.out.println(counter.next());
    }
}
