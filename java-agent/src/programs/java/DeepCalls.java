import java.util.function.IntSupplier;

/** Calls that lend arrays become frequent at the end of the stack. What the JVM and the agent do for the first of their kind is done later, and works. */
public class DeepCalls {
    private static int calls;

    static class Other {
        static int present(Object... all) {
            int n = 0;
            for (Object one : all) {
                n += one == null ? 0 : 1;
            }
            return n;
        }
    }

    interface Takes {
        int take(Object... all);
    }

    static class Looks implements Takes {
        @Override
        public int take(Object... all) {
            return all[0] == null ? 0 : 1;
        }
    }

    private static void down(Takes takes) {
        try {
            down(takes);
        } catch (StackOverflowError e) {
            // The calls are made here, and, where there is no room for them, by the caller.
        }
        if (calls < 1000) {
            try {
                calls += Other.present("a", null) + takes.take("b");
            } catch (StackOverflowError e) {
                return;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Takes takes = new Looks();
        // Classes are loaded here: at the end of the stack no agent could look at them.
        calls = Other.present(takes.take("a")) - 1;
        Thread thread = new Thread(null, () -> down(takes), "deep", 300_000);
        thread.start();
        thread.join();
        int n = 0;
        for (int i = 0; i < 20_000; i++) {
            n += Other.present("a", i) + takes.take(i, null);
        }
        IntSupplier lambda = () -> Other.present("c");
        System.out.println((calls >= 1000) + " " + n + " " + lambda.getAsInt());
    }
}
