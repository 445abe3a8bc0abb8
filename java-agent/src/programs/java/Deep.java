/**
 * {@code Deep DEPTH}: recursion on the main thread, once each method is compiled where the JVM compiles. Says which shapes of methods get so deep before the
 * stack overflows.
 */
public class Deep {
    private static int total;
    private int n;
    private Deep self = this;

    /** A read and a write. */
    private void adds(int k) {
        if (k > 0) {
            n++;
            adds(k - 1);
        }
    }

    /** The same of a static field. */
    private static int counts(int k) {
        if (k == 0) {
            return 0;
        }
        total++;
        return counts(k - 1) + 1;
    }

    /** A read after the call. */
    private int reads(int k) {
        return k == 0 ? 0 : reads(k - 1) + n;
    }

    /** Reads of two objects. */
    private int follows(int k) {
        if (k == 0) {
            return 0;
        }
        Deep next = self;
        return next.self.follows(k - 1) + 1;
    }

    private synchronized void locks(int k) {
        if (k > 0) {
            n++;
            locks(k - 1);
        }
    }

    private interface Shape {
        void run(int k);
    }

    private static void tell(String name, int depth, Shape shape) {
        for (int i = 0; i < 300; i++) {
            shape.run(10);
        }
        String end = "deep";
        try {
            shape.run(depth);
        } catch (StackOverflowError e) {
            end = "overflow";
        }
        System.out.println(name + " " + end);
    }

    public static void main(String[] args) {
        int depth = Integer.parseInt(args[0]);
        Deep deep = new Deep();
        tell("adds", depth, deep::adds);
        tell("counts", depth, Deep::counts);
        tell("reads", depth, deep::reads);
        tell("follows", depth, deep::follows);
        tell("locks", depth, deep::locks);
    }
}
