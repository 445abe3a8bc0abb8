package violating;

import schedule.Meanwhile;

/** Methods in which a class initialiser runs, and that are not atomic nevertheless; and blocks in an initialiser. */
public class InitializersInBetween {
    private static final Object LOCK = new Object();
    private static int first;
    private static int second;
    private static int third;
    private static int fourth;
    private static int inside;
    private static int guarded;

    static class Idle {
        static int value = Integer.getInteger("none", 4);
    }

    static class Reading {
        static int seen;

        static {
            seen = second;
        }
    }

    static class Waiting {
        static int seen;

        static {
            Meanwhile.here();
            seen = 1;
        }
    }

    static class Working {
        static int result = works();

        // finding: violating.InitializersInBetween$Working.works() lost update
        static int works() {
            int before = inside;
            Meanwhile.here();
            inside = before + 1;
            return before;
        }
    }

    static class Taking {
        static int value;

        static {
            synchronized (LOCK) {
                value = guarded;
            }
        }
    }

    /** The initialiser has nothing to do with it. */
    // finding: violating.InitializersInBetween.losesAnUpdate() lost update
    static void losesAnUpdate() {
        int before = first + Idle.value;
        Meanwhile.here();
        first = before;
    }

    /** What the initialiser has read comes before what follows it. */
    // finding: violating.InitializersInBetween.readsThroughIt() interference
    static int readsThroughIt() {
        third = 1;
        Meanwhile.here();
        return Reading.seen;
    }

    static void writesForIt() {
        second = third;
    }

    /** The other thread comes while the initialiser runs. */
    // finding: violating.InitializersInBetween.isInterruptedInIt() unrepeatable read
    static int isInterruptedInIt() {
        int before = fourth;
        return before + Waiting.seen + fourth;
    }

    static int needsWorking() {
        return Working.result;
    }

    /** It gives the lock back between, and so does the initialiser. */
    // finding: violating.InitializersInBetween.locksTwice() interference
    static void locksTwice() {
        int before;
        synchronized (LOCK) {
            before = guarded;
        }
        int more = Idle.value;
        Meanwhile.here();
        more += Taking.value;
        synchronized (LOCK) {
            guarded = before + more;
        }
    }

    static void locksOnce() {
        synchronized (LOCK) {
            guarded++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Meanwhile.during(InitializersInBetween::losesAnUpdate, () -> first++);
        Meanwhile.during(InitializersInBetween::readsThroughIt, InitializersInBetween::writesForIt);
        Meanwhile.during(InitializersInBetween::isInterruptedInIt, () -> fourth = 2);
        Meanwhile.during(InitializersInBetween::needsWorking, () -> inside = 9);
        Meanwhile.during(InitializersInBetween::locksTwice, InitializersInBetween::locksOnce);
        System.out.println(first + second + third + fourth + inside + guarded);
    }
}
