package shared;

import dev.regiontrack.annotations.Atomic;
import dev.regiontrack.annotations.NotAtomic;

/** A counter with a planted bug, and without. */
public final class Counter {
    private int count;
    private Race race;

    /** Another thread adds 5 whenever a method below lets it. */
    public static Counter raced() {
        Counter counter = new Counter();
        counter.race = new Race(() -> counter.add(5));
        return counter;
    }

    void add(int n) {
        synchronized (this) {
            count += n;
        }
    }

    /** The bug: another thread's addition is lost. */
    public void increment() {
        int seen = count;
        race.between();
        count = seen + 1;
    }

    /** The same, but not meant to be atomic. */
    @NotAtomic
    public void estimate() {
        int seen = count;
        race.between();
        count = seen + 1;
    }

    /** Waits for a thread that adds, and has no annotation. */
    public void delegate() throws InterruptedException {
        int seen = count;
        Thread thread = new Thread(() -> add(seen));
        thread.start();
        thread.join();
        count = count + seen;
    }

    /** The same, but meant to be atomic. */
    @Atomic
    public void delegateAtomically() throws InterruptedException {
        int seen = count;
        Thread thread = new Thread(() -> add(seen));
        thread.start();
        thread.join();
        count = count + seen;
    }

    /** Without the bug: the other thread comes before. */
    public void fixed() {
        race.between();
        add(1);
    }
}
