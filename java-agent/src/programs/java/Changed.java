import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * A program that is also a second agent: it redefines a class in use, as it was or with another body of a method, and
 * retransforms it.
 */
public class Changed {
    /** Constants of a method's body, which the class file has in four bytes. */
    private static final int BEFORE = 70_000;
    private static final int AFTER = 80_000;
    private static Instrumentation instrumentation;

    public static void premain(String options, Instrumentation given) {
        instrumentation = given;
    }

    static class Counter {
        private final AtomicInteger calls = new AtomicInteger();
        /** Calls a method that the class has got for it, which it cannot lose either. */
        private final IntSupplier call = calls::incrementAndGet;
        private int n;

        synchronized int next() {
            IntSupplier another = calls::decrementAndGet;
            return ++n + BEFORE + present("a", null) - call.getAsInt() + another.getAsInt();
        }

        /** Called with arrays that it does not keep: has a copy, which a loaded class cannot lose. */
        static int present(Object... all) {
            int present = 0;
            for (Object one : all) {
                present += one == null ? 0 : 1;
            }
            return present;
        }

        void reset() {
            n = n > 100 ? 0 : n;
        }
    }

    // As they return, the arrays have left the methods that made them, whatever is done with them then.
    private static Class<?>[] types() {
        return new Class<?>[] {Counter.class};
    }

    private static ClassDefinition[] definitions(boolean isChanged) throws IOException {
        try (InputStream in = Changed.class.getResourceAsStream(Counter.class.getName() + ".class")) {
            byte[] bytes = in.readAllBytes();
            byte[] changed = bytes.clone();
            ByteBuffer buffer = ByteBuffer.wrap(changed);
            for (int i = 0; i <= changed.length - Integer.BYTES; i++) {
                if (buffer.getInt(i) == BEFORE) {
                    buffer.putInt(i, AFTER);
                }
            }
            return new ClassDefinition[] {new ClassDefinition(Counter.class, isChanged ? changed : bytes)};
        }
    }

    public static void main(String[] args) throws Exception {
        Counter counter = new Counter();
        counter.next();
        // What follows makes the same accesses whatever is done.
        String how = args[0];
        Instrumentation agent = instrumentation;
        Class<?>[] types = types();
        ClassDefinition[] definitions = definitions(how.equals("change"));
        if (how.equals("redefine") || how.equals("change")) {
            agent.redefineClasses(definitions);
        } else if (how.equals("retransform")) {
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
