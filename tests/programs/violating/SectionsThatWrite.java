package violating;

import java.util.AbstractList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import schedule.Flag;
import schedule.Turns;

/**
 * Two critical sections one after the other, and another thread's section under the same lock between them, of which one writes, or may write. Often that shows only
 * by the order of the sections: the elements of arrays of numbers are not watched.
 */
public class SectionsThatWrite {
    private final Turns turns = new Turns();
    private final Lock lock = new ReentrantLock();
    private final Lock leaked = new ReentrantLock();
    private final Flag flag = new Flag();
    private final int[] counts = new int[2];
    private int n;
    /** A list that counts how often it was asked. */
    private final List<Integer> asked = new AbstractList<>() {
        private final int[] times = new int[1];

        @Override
        public Integer get(int index) {
            return times[index]++;
        }

        @Override
        public int size() {
            return 1;
        }
    };

    synchronized int get() {
        return n;
    }

    synchronized void set(int value) {
        n = value;
    }

    synchronized int count() {
        return counts[0];
    }

    synchronized void add() {
        counts[0]++;
    }

    /** It reads only, unless it is told to add. */
    synchronized int addIf(boolean adds) {
        if (adds) {
            counts[0]++;
        }
        return counts[0];
    }

    synchronized void flag() {
        flag.set();
    }

    synchronized int next() {
        return addedOne(counts);
    }

    private static int addedOne(int[] to) {
        return ++to[0];
    }

    synchronized int overridden() {
        return overridable();
    }

    int overridable() {
        return 0;
    }

    int asked() {
        synchronized (asked) {
            return asked.get(0);
        }
    }

    int copied() {
        synchronized (asked) {
            return List.copyOf(asked).get(0);
        }
    }

    int underLock(boolean adds) {
        lock.lock();
        try {
            return adds ? ++counts[1] : counts[1];
        } finally {
            lock.unlock();
        }
    }

    int takeAndGet() {
        leaked.lock();
        return counts[1];
    }

    void addAndGive() {
        counts[1]++;
        leaked.unlock();
    }

    /** The inner section writes under the lock that the outer one has. */
    int nested(boolean adds) {
        synchronized (this) {
            if (!adds) {
                return counts[0];
            }
            synchronized (this) {
                return ++counts[0];
            }
        }
    }

    // finding: violating.SectionsThatWrite.readsTwice() stale check-then-act across critical sections
    void readsTwice() {
        get();
        turns.give(() -> set(1));
        get();
    }

    // finding: violating.SectionsThatWrite.writesTwice() stale check-then-act across critical sections
    void writesTwice() {
        set(2);
        turns.give(this::get);
        set(3);
    }

    // finding: violating.SectionsThatWrite.readsAndWrites() stale check-then-act across critical sections
    void readsAndWrites() {
        int before = count();
        turns.give(this::add);
        if (before == 0) {
            add();
        }
        count();
    }

    // finding: violating.SectionsThatWrite.writesAndReads() stale check-then-act across critical sections
    void writesAndReads() {
        add();
        turns.give(this::add);
        count();
    }

    // finding: violating.SectionsThatWrite.meetsSecondPart() stale check-then-act across critical sections
    void meetsSecondPart() {
        addIf(false);
        turns.give(() -> addIf(true));
        addIf(false);
    }

    // finding: violating.SectionsThatWrite.meetsReaders() stale check-then-act across critical sections
    void meetsReaders() {
        addIf(true);
        turns.give(() -> {
            addIf(false);
            count();
        });
        addIf(true);
    }

    // finding: violating.SectionsThatWrite.meetsUnknown() stale check-then-act across critical sections
    void meetsUnknown() {
        count();
        turns.give(this::flag);
        count();
    }

    // finding: violating.SectionsThatWrite.meetsOwnMethod() stale check-then-act across critical sections
    void meetsOwnMethod() {
        count();
        turns.give(this::next);
        count();
    }

    // finding: violating.SectionsThatWrite.meetsOverridable() stale check-then-act across critical sections
    void meetsOverridable() {
        count();
        turns.give(this::overridden);
        count();
    }

    // finding: violating.SectionsThatWrite.asksTwice() stale check-then-act across critical sections
    void asksTwice() {
        asked();
        turns.give(this::asked);
        asked();
    }

    // finding: violating.SectionsThatWrite.copiesTwice() stale check-then-act across critical sections
    void copiesTwice() {
        copied();
        turns.give(this::copied);
        copied();
    }

    // finding: violating.SectionsThatWrite.locksTwice() stale check-then-act across critical sections
    void locksTwice() {
        underLock(false);
        turns.give(() -> underLock(true));
        underLock(false);
    }

    // finding: violating.SectionsThatWrite.takesTwice() stale check-then-act across critical sections
    void takesTwice() {
        takeAndGet();
        addAndGive();
        turns.give(() -> {
            takeAndGet();
            addAndGive();
        });
        takeAndGet();
        addAndGive();
    }

    // finding: violating.SectionsThatWrite.nestsTwice() stale check-then-act across critical sections
    void nestsTwice() {
        nested(false);
        turns.give(() -> nested(true));
        nested(false);
    }

    // finding: violating.SectionsThatWrite.all() stale check-then-act across critical sections
    private void all() {
        readsTwice();
        writesTwice();
        readsAndWrites();
        writesAndReads();
        meetsSecondPart();
        meetsReaders();
        meetsUnknown();
        meetsOwnMethod();
        meetsOverridable();
        asksTwice();
        copiesTwice();
        locksTwice();
        takesTwice();
        nestsTwice();
        System.out.println(get() + " " + count() + " " + asked());
    }

    public static void main(String[] args) throws InterruptedException {
        SectionsThatWrite sections = new SectionsThatWrite();
        sections.turns.run(sections::all);
    }
}
