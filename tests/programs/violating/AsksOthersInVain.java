package violating;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import schedule.Interference;
import schedule.Steps;

/** Methods that look like those of {@code atomic.AsksOthers}, but what they ask has an effect, or they use the answers. */
public class AsksOthersInVain {
    private final Task task = new Task();
    private final AtomicInteger n = new AtomicInteger();
    private int rounds;
    private int other;

    static class Task {
        volatile int state;
        volatile int step = 1;
        private int asked;

        boolean isDone() {
            return state == 2;
        }

        boolean isDoneAndCounts() {
            asked++;
            return state == 2;
        }

        synchronized boolean isDoneUnderLock() {
            return state == 2;
        }

        int state() {
            return state;
        }

        int after(int c) {
            return c + step;
        }

        void countUnlessDone() {
            if (state != 2) {
                asked++;
            }
        }

        static void told(Task of) {
            of.asked++;
        }
    }

    /** A subclass whose answer has an effect. */
    static final class Counting extends Task {
        private int questions;

        @Override
        boolean isDone() {
            questions++;
            return super.isDone();
        }
    }

    /** Its private method counts; the one of its subclass has the same name, but does not override it. */
    static class Private {
        private int counted;

        private boolean isDone() {
            return ++counted >= 3;
        }
    }

    static final class BelowPrivate extends Private {
        public boolean isDone() {
            return false;
        }
    }

    /** A class of the same nest, which calls the private one. */
    static final class Nested {
        static int rounds(Private of) {
            while (!of.isDone()) {
                Thread.onSpinWait();
            }
            return of.counted;
        }
    }

    /** One that asks another, which may count. */
    static final class Asking extends Task {
        private final Task next;

        Asking(Task next) {
            this.next = next;
        }

        @Override
        boolean isDone() {
            return next.isDone();
        }
    }

    // finding: violating.AsksOthersInVain.waitsThroughAnother(violating.AsksOthersInVain$Task) unrepeatable read
    void waitsThroughAnother(Task any) {
        while (!any.isDone()) {
            Thread.yield();
        }
        other++;
    }

    /** The rounds are counted behind the pause. */
    // finding: violating.AsksOthersInVain.pausesAndCounts() unrepeatable read
    void pausesAndCounts() {
        while (!task.isDone()) {
            LockSupport.parkNanos(1_000_000);
            rounds++;
        }
        other++;
    }

    // finding: violating.AsksOthersInVain.waitsAndCounts() unrepeatable read
    void waitsAndCounts() {
        while (!task.isDoneAndCounts()) {
            Thread.yield();
        }
        other++;
    }

    // finding: violating.AsksOthersInVain.waitsForAny(violating.AsksOthersInVain$Task) unrepeatable read
    void waitsForAny(Task any) {
        while (!any.isDone()) {
            Thread.yield();
        }
        other++;
    }

    // finding: violating.AsksOthersInVain.waitsUnderLock() unrepeatable read
    void waitsUnderLock() {
        while (!task.isDoneUnderLock()) {
            Thread.yield();
        }
        other++;
    }

    /** The rounds are counted in a field. */
    // finding: violating.AsksOthersInVain.waitsWithRounds() unrepeatable read
    void waitsWithRounds() {
        while (!task.isDone()) {
            rounds++;
            Thread.yield();
        }
        other++;
    }

    /** What an earlier round has found is returned. */
    // finding: violating.AsksOthersInVain.waitsAndKeeps() unrepeatable read
    int waitsAndKeeps() {
        int before = -1;
        while (!task.isDone()) {
            before = task.state();
            Thread.yield();
        }
        return before;
    }

    /** What is not asked for is told in each round. */
    // finding: violating.AsksOthersInVain.waitsAndTells() unrepeatable read
    void waitsAndTells() {
        while (!task.isDone()) {
            Task.told(task);
            Thread.yield();
        }
        other++;
    }

    /** What is told has no result, and an effect. */
    // finding: violating.AsksOthersInVain.waitsAndHasCounted() unrepeatable read
    void waitsAndHasCounted() {
        while (!task.isDone()) {
            task.countUnlessDone();
            Thread.yield();
        }
        other++;
    }

    /** It tells how often it has asked. */
    // finding: violating.AsksOthersInVain.retries() unrepeatable read
    int retries() {
        int asked = 0;
        int c;
        do {
            c = n.get();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            asked++;
        } while (!n.compareAndSet(c, task.after(c)));
        return asked;
    }

    /** Under the lock, another one is asked. */
    // finding: violating.AsksOthersInVain.asksAnotherAgain(violating.AsksOthersInVain$Task) inconsistent view
    void asksAnotherAgain(Task any) {
        if (!task.isDone()) {
            synchronized (this) {
                if (!any.isDone()) {
                    other++;
                }
            }
        }
    }

    // waits inside: violating.AsksOthersInVain.meanwhile(java.lang.Runnable,violating.AsksOthersInVain$Task)
    private static void meanwhile(Runnable method, Task set) throws InterruptedException {
        Thread waits = new Thread(method);
        waits.start();
        Steps.awaitYield(waits);
        set.state = 1;
        set.state = 2;
        waits.join();
        set.state = 0;
    }

    // waits inside: violating.AsksOthersInVain.count()
    private void count() throws InterruptedException {
        Interference.duringWait(() -> n.set(0), n::incrementAndGet, this::retries);
    }

    public static void main(String[] args) throws InterruptedException {
        AsksOthersInVain a = new AsksOthersInVain();
        meanwhile(a::waitsAndCounts, a.task);
        Counting counting = new Counting();
        meanwhile(() -> a.waitsForAny(counting), counting);
        Counting done = new Counting();
        done.state = 2;
        a.waitsThroughAnother(new Asking(done));
        meanwhile(() -> a.waitsThroughAnother(new Asking(counting)), counting);
        meanwhile(a::pausesAndCounts, a.task);
        meanwhile(a::waitsUnderLock, a.task);
        meanwhile(a::waitsWithRounds, a.task);
        meanwhile(a::waitsAndKeeps, a.task);
        meanwhile(a::waitsAndTells, a.task);
        meanwhile(a::waitsAndHasCounted, a.task);
        Task another = new Task();
        Steps.whileLocked(a, () -> a.asksAnotherAgain(another), () -> {
            a.task.state = 2;
            another.state = 2;
        });
        a.task.state = 0;
        a.count();
        System.out.println(a.other + " " + (a.rounds > 0) + " " + (counting.questions > 0) + " " + done.questions
            + " " + Nested.rounds(new BelowPrivate()));
    }
}
