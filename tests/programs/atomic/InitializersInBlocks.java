package atomic;

import java.util.ArrayList;
import java.util.List;
import schedule.Meanwhile;
import schedule.Steps;

/**
 * Class initialisers that run in a method because it is the first to need the class. What they do belongs to no method around them, so who reads it is no
 * interference, and neither is it if the initialiser and the method around it access the same.
 */
public class InitializersInBlocks {
    private static final Object LOCK = new Object();
    private static int answer;
    private static int count;
    private static int held;

    static class First {
        static List<String> names = new ArrayList<>();
        static int value;

        static {
            names.add("first");
            value = 5;
        }
    }

    static class Counting {
        static int seen;

        static {
            count++;
            seen = count;
        }
    }

    static class Locking {
        static int value;

        static {
            synchronized (LOCK) {
                held++;
                value = held;
            }
        }
    }

    static class Outer {
        static int value = Inner.value + 1;
    }

    static class Inner {
        static int value = made();

        private static int made() {
            return Deep.value + 1;
        }
    }

    static class Deep {
        static int value = 3;
    }

    static class Failing {
        static int value = fail();

        private static int fail() {
            answer++;
            throw new IllegalStateException("it fails");
        }
    }

    /** The other thread reads what the initialiser has written, and writes what the method reads next. */
    static int needsFirst() {
        int result = First.value;
        Meanwhile.here();
        return result + answer;
    }

    static void readsFirst() {
        answer = First.value + First.names.size();
    }

    /** The initialiser reads and writes what the method has written. */
    static int needsCounting() {
        count = 7;
        int result = Counting.seen;
        Meanwhile.here();
        return result + count;
    }

    /** It takes a lock that the method has, and one that it has had. */
    static int needsLocking() {
        synchronized (LOCK) {
            held = 1;
            return Locking.value + held;
        }
    }

    /** Initialisers in initialisers, with a method in between. */
    static int needsOuter() {
        int result = Outer.value;
        Meanwhile.here();
        return result + answer;
    }

    static void readsDeep() {
        answer = Deep.value;
    }

    /** It ends by an exception. */
    static int needsFailing() {
        int result = 0;
        try {
            result = Failing.value;
        } catch (ExceptionInInitializerError e) {
            result = 1;
        }
        Meanwhile.here();
        return result + count;
    }

    static void readsAnswer() {
        count = answer;
    }

    public static void main(String[] args) throws InterruptedException {
        Meanwhile.during(InitializersInBlocks::needsFirst, InitializersInBlocks::readsFirst);
        Meanwhile.during(InitializersInBlocks::needsCounting, () -> System.out.println(Counting.seen));
        Steps.run(InitializersInBlocks::needsLocking, InitializersInBlocks::needsLocking);
        Meanwhile.during(InitializersInBlocks::needsOuter, InitializersInBlocks::readsDeep);
        Meanwhile.during(InitializersInBlocks::needsFailing, InitializersInBlocks::readsAnswer);
        System.out.println(answer + count + held);
    }
}
