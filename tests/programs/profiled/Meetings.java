package profiled;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import schedule.Steps;

/**
 * Updates that another thread meets, as the argument says: before they begin, inside of them, or after their end; or in turns, where one
 * thread does all updates, and has been joined when the other is started. Inside, every one is violated; otherwise none is.
 */
public class Meetings {
    private static final int BEFORE = 0;
    private static final int INSIDE = 1;
    private static final int AFTER = 2;
    private static final int TURNS = 3;

    static class Base {
        int value;
    }

    static class Below extends Base {
    }

    /** One call of these is a block inside the update. */
    static class Safe {
        private int value;

        synchronized int get() {
            return value;
        }

        synchronized void set(int value) {
            this.value = value;
        }
    }

    static class Cell {
        private int value;

        int get() {
            return value;
        }

        void set(int value) {
            this.value = value;
        }
    }

    private static int total;
    private static int when;
    private static int step;

    private int count;
    private long wide;
    private volatile int seen;
    private int underLock;
    private int underClass;
    private final Below below = new Below();
    private final Safe safe = new Safe();
    private final Cell cell = new Cell();
    private final Object[] table = new Object[2];
    private final Object[][] rows = new Object[2][1];
    private final Map<String, Integer> map = new ConcurrentHashMap<>();
    private final Map<String, Integer> plain = new HashMap<>();
    private final AtomicInteger number = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();

    /** An update, and what the other thread does. */
    private static final class Way {
        final Runnable update;
        final Runnable other;

        Way(Runnable update, Runnable other) {
            this.update = update;
            this.other = other;
        }
    }

    /** Here the other thread comes in, or not. */
    private static void meet(int at) {
        if (at == when) {
            Steps.done(2 * step + 1);
            Steps.await(2 * step + 2);
        }
    }

    // finding: profiled.Meetings.field() lost update
    void field() {
        int old = count;
        meet(INSIDE);
        count = old + 1;
    }

    // finding: profiled.Meetings.wide() lost update
    void wide() {
        long old = wide;
        meet(INSIDE);
        wide = old + 1;
    }

    // finding: profiled.Meetings.total() lost update
    static void total() {
        int old = total;
        meet(INSIDE);
        total = old + 1;
    }

    // finding: profiled.Meetings.seen() lost update
    void seen() {
        int old = seen;
        meet(INSIDE);
        seen = old + 1;
    }

    // finding: profiled.Meetings.inherited() lost update
    void inherited() {
        int old = below.value;
        meet(INSIDE);
        below.value = old + 1;
    }

    // finding: profiled.Meetings.sections() stale check-then-act across critical sections
    void sections() {
        int old = safe.get();
        meet(INSIDE);
        safe.set(old + 1);
    }

    // finding: profiled.Meetings.accessors() lost update
    void accessors() {
        int old = cell.get();
        meet(INSIDE);
        cell.set(old + 1);
    }

    // finding: profiled.Meetings.element() lost update
    void element() {
        Object old = table[0];
        meet(INSIDE);
        table[0] = old == null ? "new" : "newer";
    }

    // finding: profiled.Meetings.parameter(java.lang.Object[]) lost update
    void parameter(Object[] given) {
        Object old = given[0];
        meet(INSIDE);
        given[0] = old == null ? "new" : "newer";
    }

    // finding: profiled.Meetings.keys() stale check-then-act on a collection
    void keys() {
        boolean isKnown = map.containsKey("k");
        meet(INSIDE);
        if (!isKnown || when != INSIDE) {
            map.put("k", 1);
        }
    }

    // finding: profiled.Meetings.plainKeys() stale check-then-act on a collection
    void plainKeys() {
        boolean isKnown = plain.containsKey("k");
        meet(INSIDE);
        if (!isKnown || when != INSIDE) {
            plain.put("k", 1);
        }
    }

    // finding: profiled.Meetings.number() lost update by get and set
    void number() {
        int old = number.get();
        meet(INSIDE);
        number.set(old + 1);
    }

    // finding: profiled.Meetings.locks() stale check-then-act across critical sections
    void locks() {
        int old = underLock(0);
        meet(INSIDE);
        underLock(old + 1);
    }

    private int underLock(int add) {
        lock.lock();
        try {
            underLock += add;
            return underLock;
        } finally {
            lock.unlock();
        }
    }

    // finding: profiled.Meetings.classLocks() stale check-then-act across critical sections
    void classLocks() {
        int old = underClass(0);
        meet(INSIDE);
        underClass(old + 1);
    }

    private int underClass(int add) {
        synchronized (Meetings.class) {
            underClass += add;
            return underClass;
        }
    }

    /** Deep inside other methods, of which none has an access of its own. */
    // finding: profiled.Meetings.deep() lost update
    void deep() {
        deeper();
    }

    // finding: profiled.Meetings.deeper() lost update
    private void deeper() {
        int old = cell.get();
        Runnable next = () -> {
            meet(INSIDE);
            cell.set(old + 1);
        };
        next.run();
    }

    public static void main(String[] args) throws InterruptedException {
        when = List.of("before", "inside", "after", "turns").indexOf(args[0]);
        Meetings m = new Meetings();
        Object[] row = m.rows[1];
        Way[] ways = {
            new Way(m::field, () -> m.count += 5), new Way(m::wide, () -> m.wide += 5),
            new Way(Meetings::total, () -> total += 5), new Way(m::seen, () -> m.seen = 5),
            new Way(m::inherited, () -> ((Base) m.below).value = 5), new Way(m::sections, () -> m.safe.set(5)),
            new Way(m::accessors, () -> m.cell.set(5)), new Way(m::element, () -> m.table[0] = "other"),
            new Way(() -> m.parameter(row), () -> m.rows[1][0] = "other"),
            new Way(m::keys, () -> m.map.put("k", 2)), new Way(m::plainKeys, () -> m.plain.put("k", 2)),
            new Way(m::number, () -> m.number.incrementAndGet()), new Way(m::locks, () -> m.underLock(5)),
            new Way(m::classLocks, () -> m.underClass(5)), new Way(m::deep, () -> m.cell.set(9)),
        };
        Runnable updates = () -> {
            for (Way way : ways) {
                meet(BEFORE);
                way.update.run();
                meet(AFTER);
                step++;
            }
        };
        Runnable others = () -> {
            for (int i = 0; i < ways.length; i++) {
                if (when != TURNS) {
                    Steps.await(2 * i + 1);
                }
                ways[i].other.run();
                if (when != TURNS) {
                    Steps.done(2 * i + 2);
                }
            }
        };
        if (when == TURNS) {
            Steps.alone(updates, "first");
            Steps.alone(others, "second");
        } else {
            Steps.run(updates, others);
        }
        System.out.println(m.count + " " + m.wide + " " + total + " " + m.seen + " " + m.below.value + " " + m.safe.get() + " " + m.cell.get());
    }
}
