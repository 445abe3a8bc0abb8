package violating;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import schedule.Interference;
import schedule.Steps;

/**
 * Methods that keep something of an attempt that failed where it is hard to see: in an object of their own, or in a local that is only counted up. And methods
 * that take a lock to look again, but do something else than if their first look had found what the second one has found. Those without a finding look like
 * them, and keep nothing.
 */
public class YieldsWhatIsLeft {
    private static final int CLOSED = 7;
    private static Object instance;
    private final AtomicInteger n = new AtomicInteger();
    private final AtomicReference<Node> top = new AtomicReference<>();
    private Object seen;
    private int late;
    private int state;

    static final class Sum {
        int value;
        int before;
    }

    static final class Node {
        final int value;
        Node next;

        Node(int value) {
            this.value = value;
        }
    }

    // ---- an object of the method's own

    // finding: violating.YieldsWhatIsLeft.addsUp() unrepeatable read
    int addsUp() {
        Sum sum = new Sum();
        int c;
        do {
            c = n.get();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            sum.value += c;
        } while (!n.compareAndSet(c, c + 1));
        return sum.value;
    }

    /** The attempt that succeeds may leave what another one has written. */
    // finding: violating.YieldsWhatIsLeft.keepsEvenOnes() unrepeatable read
    int keepsEvenOnes() {
        Sum sum = new Sum();
        int c;
        do {
            c = n.get();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            if ((c & 1) == 0) {
                sum.value = c;
            }
        } while (!n.compareAndSet(c, c + 1));
        return sum.value;
    }

    /** It reads under another name what it has written. */
    // finding: violating.YieldsWhatIsLeft.movesOn() unrepeatable read
    int movesOn() {
        Sum sum = new Sum();
        Sum same = sum;
        int c;
        do {
            c = n.get();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            sum.before = same.value;
            sum.value = c;
        } while (!n.compareAndSet(c, c + 1));
        return sum.before;
    }

    // finding: violating.YieldsWhatIsLeft.tellsTheLast() unrepeatable read
    int tellsTheLast() {
        Sum sum = new Sum();
        for (;;) {
            int c = n.get();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            sum.value = c;
            if (n.compareAndSet(c, c + 1)) {
                return c;
            }
            if (sum.value > Interference.END / 2) {
                return sum.value;
            }
        }
    }

    int writesEachTime() {
        Sum sum = new Sum();
        int c;
        do {
            c = n.get();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            sum.value = c;
        } while (!n.compareAndSet(c, c + 1));
        return sum.value;
    }

    void pushesOnWhatItSees() {
        Node node = new Node(-1);
        node.next = top.get();
        Thread.yield();
        while (!top.compareAndSet(node.next, node)) {
            node.next = top.get();
        }
    }

    // ---- a local that is only counted up

    // finding: violating.YieldsWhatIsLeft.countsEvenOnes() unrepeatable read
    int countsEvenOnes() {
        int even = 0;
        int c;
        do {
            c = n.get();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            if ((c & 1) == 0) {
                even++;
            }
        } while (!n.compareAndSet(c, c + 1));
        return even;
    }

    // finding: violating.YieldsWhatIsLeft.countsByKind() unrepeatable read
    int countsByKind() {
        int kinds = 0;
        int c;
        do {
            c = n.get();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            switch (c & 3) {
                case 0:
                    kinds++;
                    break;
                case 1:
                    kinds += 2;
                    break;
                default:
                    kinds += 3;
            }
        } while (!n.compareAndSet(c, c + 1));
        return kinds;
    }

    int countsBits() {
        int c;
        int bits;
        do {
            c = n.get();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            bits = 0;
            for (int rest = c; rest != 0; rest &= rest - 1) {
                bits++;
            }
        } while (!n.compareAndSet(c, c + 1));
        return bits;
    }

    // ---- a look before a lock

    // finding: violating.YieldsWhatIsLeft.tellsThatItWasFirst() unrepeatable read
    boolean tellsThatItWasFirst() {
        if (seen == null) {
            synchronized (this) {
                if (seen == null) {
                    seen = "mine";
                }
            }
            return true;
        }
        return false;
    }

    // finding: violating.YieldsWhatIsLeft.tellsUnderTheLock() unrepeatable read
    boolean tellsUnderTheLock() {
        if (seen == null) {
            synchronized (this) {
                if (seen == null) {
                    seen = "mine";
                }
                return true;
            }
        }
        return false;
    }

    // finding: violating.YieldsWhatIsLeft.tellsThatItWasLate() unrepeatable read
    String tellsThatItWasLate() {
        if (seen == null) {
            synchronized (this) {
                if (seen == null) {
                    seen = "mine";
                    return "first";
                }
                return "late";
            }
        }
        return "old";
    }

    // finding: violating.YieldsWhatIsLeft.countsItsLock() unrepeatable read
    int countsItsLock() {
        int locks = 0;
        if (seen == null) {
            synchronized (this) {
                if (seen == null) {
                    seen = "mine";
                }
                locks++;
            }
        }
        return locks;
    }

    // finding: violating.YieldsWhatIsLeft.remembersThatItWasLate() unrepeatable read
    boolean remembersThatItWasLate() {
        boolean isLate = false;
        if (seen == null) {
            synchronized (this) {
                if (seen == null) {
                    seen = "mine";
                } else {
                    isLate = true;
                }
            }
        }
        return isLate;
    }

    // finding: violating.YieldsWhatIsLeft.writesThatItWasLate() unrepeatable read
    void writesThatItWasLate() {
        if (seen == null) {
            synchronized (this) {
                if (seen == null) {
                    seen = "mine";
                } else {
                    late++;
                }
            }
        }
    }

    private boolean isThere() {
        return seen != null;
    }

    // finding: violating.YieldsWhatIsLeft.tellsByMethod() unrepeatable read
    boolean tellsByMethod() {
        if (!isThere()) {
            synchronized (this) {
                if (!isThere()) {
                    seen = "mine";
                }
                return true;
            }
        }
        return false;
    }

    /** Who finds it is counted only without the lock. */
    // finding: violating.YieldsWhatIsLeft.countsSomeWhoAreLate() unrepeatable read
    void countsSomeWhoAreLate() {
        if (seen == null) {
            synchronized (this) {
                if (seen == null) {
                    seen = "mine";
                }
            }
        } else {
            late++;
        }
    }

    /** The first look would have told that it is closed. */
    // finding: violating.YieldsWhatIsLeft.opens() unrepeatable read
    String opens() {
        int found = state;
        if (found == 0) {
            synchronized (this) {
                found = state;
                if (found == 0) {
                    state = 1;
                    return "made";
                }
                return "open";
            }
        }
        return found == CLOSED ? "closed" : "open";
    }

    // finding: violating.YieldsWhatIsLeft.opensInRange() unrepeatable read
    boolean opensInRange() {
        if (state >= 0 && state < CLOSED) {
            synchronized (this) {
                if (state >= 0 && state < CLOSED) {
                    state = 1;
                }
                return true;
            }
        }
        return false;
    }

    String opensOrTells() {
        int found = state;
        if (found == 0) {
            synchronized (this) {
                found = state;
                if (found == 0) {
                    state = 1;
                    return "made";
                }
            }
        }
        return found == CLOSED ? "closed" : "open";
    }

    boolean asksByMethod() {
        if (!isThere()) {
            synchronized (this) {
                if (!isThere()) {
                    seen = "mine";
                    return true;
                }
            }
        }
        return false;
    }

    /** Each thread that is late finds out under the lock. */
    boolean tellsWhatItFound() {
        if (seen == null) {
            synchronized (this) {
                if (seen == null) {
                    seen = "mine";
                    return true;
                }
            }
        }
        return false;
    }

    boolean remembersWhatItFound() {
        boolean isFirst = false;
        if (seen == null) {
            synchronized (this) {
                if (seen == null) {
                    seen = "mine";
                    isFirst = true;
                }
            }
        }
        return isFirst;
    }

    Object returnsWhatIsThere() {
        Object found = seen;
        if (found != null) {
            return found;
        }
        synchronized (this) {
            found = seen;
            if (found != null) {
                return found;
            }
            seen = "mine";
            return seen;
        }
    }

    int countsAllWhoAreLate() {
        if (seen == null) {
            synchronized (this) {
                if (seen == null) {
                    seen = "mine";
                } else {
                    return 1;
                }
            }
            return 0;
        }
        return 1;
    }

    static Object instance() {
        Object result = instance;
        if (result == null) {
            synchronized (YieldsWhatIsLeft.class) {
                result = instance;
                if (result == null) {
                    instance = result = "mine";
                }
            }
        }
        return result;
    }

    // waits inside: violating.YieldsWhatIsLeft.look(java.lang.Runnable)
    private void look(Runnable method) throws InterruptedException {
        seen = null;
        Steps.whileLocked(this, method, () -> seen = "yours");
    }

    // waits inside: violating.YieldsWhatIsLeft.close(java.lang.Runnable)
    private void close(Runnable method) throws InterruptedException {
        state = 0;
        Steps.whileLocked(this, method, () -> state = CLOSED);
    }

    // waits inside: violating.YieldsWhatIsLeft.count(java.lang.Runnable)
    private void count(Runnable method) throws InterruptedException {
        Interference.duringWait(() -> n.set(0), n::incrementAndGet, method);
    }

    public static void main(String[] args) throws InterruptedException {
        YieldsWhatIsLeft y = new YieldsWhatIsLeft();
        y.count(y::addsUp);
        y.count(y::keepsEvenOnes);
        y.count(y::movesOn);
        y.count(y::tellsTheLast);
        y.count(y::writesEachTime);
        y.count(y::countsEvenOnes);
        y.count(y::countsByKind);
        y.count(y::countsBits);
        y.look(y::tellsThatItWasFirst);
        y.look(y::tellsUnderTheLock);
        y.look(y::tellsThatItWasLate);
        y.look(y::countsItsLock);
        y.look(y::remembersThatItWasLate);
        y.look(y::writesThatItWasLate);
        y.look(y::tellsByMethod);
        y.look(y::countsSomeWhoAreLate);
        y.look(y::asksByMethod);
        y.close(y::opens);
        y.close(y::opensInRange);
        y.close(y::opensOrTells);
        y.look(y::tellsWhatItFound);
        y.look(y::remembersWhatItFound);
        y.look(y::returnsWhatIsThere);
        y.look(y::countsAllWhoAreLate);
        Steps.whileLocked(YieldsWhatIsLeft.class, YieldsWhatIsLeft::instance, () -> instance = "yours");
        Thread pushes = new Thread(y::pushesOnWhatItSees);
        pushes.start();
        Steps.awaitYield(pushes);
        y.top.set(new Node(0));
        pushes.join();
        System.out.println(y.late);
    }
}
