package violating;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import marked.Elsewhere;
import schedule.Steps;

/**
 * A method fills an array and passes it to a method that its receiver selects, which keeps the array. Methods with the same name and
 * parameters that are not selected do not keep it. Another thread reads an element, and then the method reads what that thread
 * wrote. Only the elements, which were written before the array escaped, show the order.
 */
public class ArrayForReceiver {
    private static final Queue<Object[]> QUEUE = new ConcurrentLinkedQueue<>();
    private int answer;
    private int step;

    /** Does not keep it. */
    static class Looks {
        public int take(Object... array) {
            return array[0] == null ? 0 : 1;
        }
    }

    static class Keeps extends Looks {
        @Override
        public int take(Object... array) {
            QUEUE.add(array);
            return 0;
        }
    }

    /** Inherits the method that keeps it. */
    static final class Inherits extends Keeps {
        public int take(Object array) {
            return 1;
        }
    }

    interface Takes {
        default int take(Object... array) {
            QUEUE.add(array);
            return 0;
        }
    }

    /** Has only the interface's method. */
    static final class ByDefault implements Takes {
    }

    /** Keeps it, in a method that classes of other packages do not override. */
    public static class InPackage {
        int take(Object... array) {
            QUEUE.add(array);
            return 0;
        }
    }

    /** Has a static method that keeps it and one of its own that does not. */
    static final class Both {
        static int take(int unused, Object... array) {
            return array[0] == null ? 0 : 1;
        }

        int take(Object... array) {
            QUEUE.add(array);
            return 0;
        }
    }

    /** The same call for receivers of many classes. */
    private static int passTo(Looks looks) {
        return looks.take(1, 2);
    }

    private void hear() {
        Steps.done(++step);
        Steps.await(++step);
        if (answer == 0) {
            throw new IllegalStateException("no answer");
        }
    }

    // finding: violating.ArrayForReceiver.overrides() interference
    void overrides() {
        passTo(new Looks());
        passTo(new Keeps());
        hear();
    }

    // finding: violating.ArrayForReceiver.inherits() interference
    void inherits() {
        passTo(new Inherits());
        hear();
    }

    // finding: violating.ArrayForReceiver.isDefault() interference
    void isDefault() {
        Takes takes = new ByDefault();
        takes.take(1, 2);
        hear();
    }

    // finding: violating.ArrayForReceiver.isNotOverridden() interference
    void isNotOverridden() {
        InPackage takes = new Elsewhere();
        takes.take(1, 2);
        hear();
    }

    // finding: violating.ArrayForReceiver.isCalled() interference
    void isCalled() {
        new Both().take(1L, 2);
        hear();
    }

    /** With more classes than a call remembers. */
    private static Looks other(int i) {
        switch (i) {
            case 0: return new Looks();
            case 1: return new Looks() { };
            case 2: return new Looks() { };
            case 3: return new Looks() { };
            case 4: return new Looks() { };
            default: return new Keeps();
        }
    }

    // finding: violating.ArrayForReceiver.isOneOfMany() interference
    void isOneOfMany() {
        for (int i = 0; i < 6; i++) {
            other(i).take(i, 2);
        }
        hear();
    }

    /** Does not keep what it is made of, as such. */
    static class Made {
        Made(Object... array) {
            if (array[0] == null) {
                throw new IllegalArgumentException();
            }
        }

        Made(Object[] array, int from) {
            this(array);
        }
    }

    static class MadeAndKept extends Made {
        MadeAndKept(Object... array) {
            super(array, 1);
            QUEUE.add(array);
        }
    }

    // finding: violating.ArrayForReceiver.isConstructor() interference
    void isConstructor() {
        new Made(1, 2);
        new Made(new Object[] {1, 2}, 1);
        new MadeAndKept(1, 2);
        hear();
    }

    // finding: violating.ArrayForReceiver.isBelowOthers() interference
    void isBelowOthers() {
        new Below().take(1, new Object[] {1, 2}, 3.5, "last", 4L);
        hear();
    }

    static class Below {
        double take(int first, Object[] array, double weight, String name, long last) {
            QUEUE.add(array);
            return first + weight + last + name.length();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ArrayForReceiver at = new ArrayForReceiver();
        Runnable[] ways = {
            at::overrides, at::inherits, at::isDefault, at::isNotOverridden, at::isCalled, at::isOneOfMany, at::isConstructor,
            at::isBelowOthers,
        };
        Steps.run(() -> {
            for (Runnable way : ways) {
                way.run();
            }
        }, () -> {
            for (int i = 0; i < ways.length; i++) {
                Steps.await(2 * i + 1);
                if (QUEUE.remove()[0] != null) {
                    at.answer++;
                }
                Steps.done(2 * i + 2);
            }
        });
        System.out.println("answers " + at.answer);
    }
}
