package atomic;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import schedule.Interference;
import schedule.Steps;

/**
 * Methods that wait for an answer, or look before they try, by calls of methods of other classes that do nothing but read and compute; which method such a call reaches
 * is known only when it is made. Another thread writes what they read between two rounds, which is no interference. {@code violating.AsksOthersInVain} has methods that look like these.
 */
public class AsksOthers {
    /** After fewer calls that have an effect nobody asks any more. */
    private static final int OFTEN = 100;

    private final Task task = new Task();
    private final AtomicInteger n = new AtomicInteger();
    private final AtomicLong bits = new AtomicLong();
    private int other;

    /** What others ask for. */
    static class Task {
        private volatile int state;
        private final AtomicInteger progress = new AtomicInteger();
        private final int[] parts = new int[2];

        boolean isDone() {
            return state == 2;
        }

        boolean isAt(int least) {
            return progress.get() >= least;
        }

        boolean isAt(long least, Object unused, int factor) {
            return progress.get() * (long) factor >= least;
        }

        int part(int i) {
            return parts[i] + state / 2;
        }

        static boolean isOver(Task of) {
            return of.state == 2;
        }
    }

    /** A subclass whose answer is another one. */
    static final class Late extends Task {
        volatile boolean isLate;

        @Override
        boolean isDone() {
            return isLate;
        }
    }

    /** One that is asked whether to go on, and throws otherwise. */
    static class Limits {
        volatile boolean isStopped;

        void check() {
            if (isStopped) {
                throw new IllegalStateException();
            }
        }
    }

    static class Counter {
        private int count;

        void count() {
            count++;
        }
    }

    /** A link of a queue, which is an atomic object itself. */
    static final class Link extends AtomicReference<Link> {
        private static final long serialVersionUID = 1;

        Link next() {
            return get();
        }
    }

    /** Elements that others read by a method of their own. */
    static final class Elements {
        static int at(int[] elements, int i) {
            return elements[i];
        }
    }

    /** Some tasks, which are asked by a loop in another class. */
    static final class Group extends Task {
        private final Task[] tasks;

        Group(Task... tasks) {
            this.tasks = tasks;
        }

        @Override
        boolean isDone() {
            return All.areDone(tasks);
        }
    }

    /** Asks all of them, however they answer. */
    static final class All {
        static boolean areDone(Task[] tasks) {
            int done = 0;
            for (Task task : tasks) {
                done += task.isDone() ? 1 : 0;
            }
            return done == tasks.length;
        }
    }

    /** Thrown by all; the first that throws it needs its class. */
    static final class Stopped extends RuntimeException {
        private static final long serialVersionUID = 1;
        static final Stopped INSTANCE = new Stopped();

        private Stopped() {
            super(null, null, false, false);
            wasNeeded = true;
        }
    }

    static volatile boolean wasNeeded;

    /** One that counts, and throws what is in a static field of another class. */
    static final class Told extends Limits {
        private int told;

        @Override
        void check() {
            if (isStopped) {
                told++;
                throw Stopped.INSTANCE;
            }
        }
    }

    enum Phase {
        FIRST, SECOND, LAST
    }

    /** Compares with a constant of another class, which its first question needs. */
    static final class Phased extends Task {
        private volatile Phase phase;

        @Override
        boolean isDone() {
            return phase == Phase.LAST;
        }
    }

    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final int count;

        Refused(String message, int count) {
            super(message);
            this.count = count;
        }
    }

    /** One that makes what it throws, of what others can change. */
    static final class Refusing extends Limits {
        private volatile int count;

        @Override
        void check() {
            if (isStopped) {
                count++;
                throw new Refused(new StringBuilder("at ").append(count).toString(), count);
            }
        }
    }

    interface Answer {
        boolean isThere();
    }

    /** One that is asked by an interface. */
    static final class Delayed implements Answer {
        volatile boolean isThere;

        @Override
        public boolean isThere() {
            return isThere;
        }
    }

    /** Computes only. */
    static final class Next {
        private final int step;

        Next(int step) {
            this.step = step;
        }

        int after(int c) {
            return c + step;
        }

        static long with(long bits, double more) {
            return Double.doubleToRawLongBits(Double.longBitsToDouble(bits) + more);
        }
    }

    boolean canBeOverridden() {
        return task.state == 2;
    }

    void waits() {
        while (!task.isDone()) {
            Thread.yield();
        }
        other++;
    }

    void waitsFor(Task any) {
        while (!any.isDone()) {
            Thread.yield();
        }
        other++;
    }

    void waitsForAnswer(Answer any) {
        while (!any.isThere()) {
            Thread.yield();
        }
        other++;
    }

    void waitsForStatic() {
        while (!Task.isOver(task)) {
            Thread.yield();
        }
        other++;
    }

    /** What comes before the first answer needs none, and begins with a {@code new}. */
    void waitsWithLimit(int limit) {
        for (;;) {
            if (limit < 0) {
                throw new IllegalArgumentException("limit");
            }
            if (task.isDone()) {
                break;
            }
            Thread.yield();
        }
        other++;
    }

    void waitsForOwn() {
        while (!canBeOverridden()) {
            Thread.yield();
        }
        other++;
    }

    /** By a method of the class that cannot be overridden. */
    void waitsByMethod() {
        while (!isOver()) {
            Thread.yield();
        }
        other++;
    }

    private boolean isOver() {
        return task.isDone() || task.state > 2;
    }

    void waitsForProgress(int least) {
        while (!task.isAt(least) || !task.isAt(least * 2L, this, 2)) {
            Thread.yield();
        }
        other++;
    }

    void waitsForPart() {
        while (task.part(1) == 0) {
            Thread.yield();
        }
        other++;
    }

    int retries(Next next) {
        int c;
        do {
            c = n.get();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
        } while (!n.compareAndSet(c, next.after(c)));
        return c;
    }

    void adds(double more) {
        for (;;) {
            long c = bits.get();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            if (bits.compareAndSet(c, Next.with(c, more))) {
                return;
            }
        }
    }

    /** In a block that fails, and goes on: what is asked throws, and the method itself gets that. */
    int waitsAndFails(int i) {
        try {
            while (task.part(i) == 0) {
                Thread.yield();
            }
            return 0;
        } catch (ArrayIndexOutOfBoundsException e) {
            return e.getMessage().length();
        }
    }

    /** What it calls behind the loop has an effect each time. */
    void waitsAndTells(Task any, Counter counter) {
        while (!any.isDone()) {
            Thread.yield();
        }
        counter.count();
    }

    /** By a method without a result, which may throw. */
    void waitsUnlessStopped(Limits limits) {
        while (!task.isDone()) {
            limits.check();
            Thread.yield();
        }
        other++;
    }

    boolean waitsUntilStopped(Limits limits) {
        try {
            while (!task.isDone()) {
                limits.check();
                Thread.yield();
            }
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    /** What has an effect, and throws, is done once. */
    boolean waitsUntilTold(Told limits) {
        try {
            while (!task.isDone()) {
                limits.check();
                Thread.yield();
            }
            return false;
        } catch (Stopped e) {
            return limits.told == 1;
        }
    }

    String waitsUntilRefused(Refusing limits) {
        try {
            while (!task.isDone()) {
                limits.check();
                Thread.yield();
            }
            return "";
        } catch (Refused e) {
            return e.getMessage() + " " + e.count;
        }
    }

    void pauses(Task any) {
        while (!any.isDone()) {
            LockSupport.parkNanos(1_000_000);
        }
        other++;
    }

    long pausesForCount(long least) {
        long found;
        while (least > (found = n.get())) {
            LockSupport.parkNanos(this, 1_000_000);
        }
        return found;
    }

    /** The second read of a round can throw, and does if there is no such element. */
    int waitsForEither(AtomicIntegerArray elements, int i) {
        try {
            while (!task.isDone() && elements.get(i) / 2 == 0) {
                Thread.yield();
            }
            return 0;
        } catch (IndexOutOfBoundsException e) {
            return e.getMessage().length();
        }
    }

    int waitsForNext(Link link) {
        Link next;
        while ((next = link.next()) == null) {
            Thread.yield();
        }
        return next == link ? 0 : 1;
    }

    void waitsForElement() {
        while (Elements.at(task.parts, 1) == 0 && task.state == 0) {
            Thread.yield();
        }
        other++;
    }

    /** Asks, and once more under a lock. */
    void asksAgain(Task any) {
        if (!any.isDone()) {
            synchronized (this) {
                if (!any.isDone()) {
                    other++;
                }
            }
        }
    }

    // waits inside: atomic.AsksOthers.meanwhile(java.lang.Runnable,java.lang.Runnable,java.lang.Runnable)
    private static void meanwhile(Runnable method, Runnable one, Runnable two) throws InterruptedException {
        Thread waits = new Thread(method);
        waits.start();
        Steps.awaitYield(waits);
        one.run();
        two.run();
        waits.join();
    }

    // waits inside: atomic.AsksOthers.count(java.lang.Runnable,java.util.function.IntSupplier)
    private void count(Runnable method, IntSupplier next) throws InterruptedException {
        Interference.during(() -> {
            n.set(0);
            bits.set(0);
        }, next, method);
    }

    private void set(int state) {
        task.state = state;
    }

    public static void main(String[] args) throws InterruptedException {
        AsksOthers a = new AsksOthers();
        meanwhile(a::waits, () -> a.set(1), () -> a.set(2));
        a.set(0);
        Late late = new Late();
        meanwhile(() -> a.waitsFor(late), () -> late.isLate = false, () -> late.isLate = true);
        meanwhile(() -> a.waitsFor(a.task), () -> a.set(1), () -> a.set(2));
        a.set(0);
        Delayed delayed = new Delayed();
        meanwhile(() -> a.waitsForAnswer(delayed), () -> delayed.isThere = false, () -> delayed.isThere = true);
        meanwhile(a::waitsForStatic, () -> a.set(1), () -> a.set(2));
        a.set(0);
        meanwhile(() -> a.waitsWithLimit(1), () -> a.set(1), () -> a.set(2));
        a.set(0);
        meanwhile(a::waitsForOwn, () -> a.set(1), () -> a.set(2));
        a.set(0);
        meanwhile(a::waitsByMethod, () -> a.set(1), () -> a.set(2));
        a.set(0);
        meanwhile(() -> a.waitsForProgress(2), a.task.progress::incrementAndGet, a.task.progress::incrementAndGet);
        meanwhile(a::waitsForPart, () -> a.set(1), () -> a.set(2));
        a.set(0);
        Steps.whileLocked(a, () -> a.asksAgain(a.task), () -> a.set(2));
        a.set(0);
        Counter counter = new Counter();
        a.set(2);
        for (int i = 0; i < OFTEN; i++) {
            a.waitsAndTells(a.task, counter);
        }
        a.set(0);
        meanwhile(() -> a.waitsAndTells(a.task, counter), () -> a.set(1), () -> a.set(2));
        a.set(0);
        Limits limits = new Limits();
        meanwhile(() -> a.waitsUnlessStopped(limits), () -> a.set(1), () -> a.set(2));
        a.set(0);
        boolean[] isStopped = new boolean[1];
        meanwhile(() -> isStopped[0] = a.waitsUntilStopped(limits), () -> a.set(1), () -> limits.isStopped = true);
        a.set(0);
        Told told = new Told();
        boolean[] isTold = new boolean[1];
        boolean[] wasNeededBefore = new boolean[1];
        meanwhile(() -> isTold[0] = a.waitsUntilTold(told), () -> a.set(1), () -> {
            wasNeededBefore[0] = wasNeeded;
            told.isStopped = true;
        });
        a.set(0);
        Task second = new Task();
        Refusing refusing = new Refusing();
        String[] refused = new String[1];
        meanwhile(() -> refused[0] = a.waitsUntilRefused(refusing), () -> a.set(1), () -> refusing.isStopped = true);
        a.set(0);
        All.areDone(new Task[0]);
        Group group = new Group(a.task, second, new Group(second));
        meanwhile(() -> a.waitsFor(group), () -> a.set(2), () -> second.state = 2);
        a.set(0);
        meanwhile(() -> a.pauses(a.task), () -> a.set(1), () -> a.set(2));
        a.set(0);
        meanwhile(() -> a.pausesForCount(2), a.n::incrementAndGet, a.n::incrementAndGet);
        Phased phased = new Phased();
        phased.phase = Phase.FIRST;
        meanwhile(() -> a.waitsFor(phased), () -> phased.phase = Phase.SECOND, () -> phased.phase = Phase.LAST);
        AtomicIntegerArray elements = new AtomicIntegerArray(2);
        meanwhile(() -> a.waitsForEither(elements, 1), () -> elements.set(1, 1), () -> elements.set(1, 2));
        meanwhile(() -> a.waitsForEither(elements, 0), () -> a.set(1), () -> a.set(2));
        a.set(0);
        int length = a.waitsForEither(elements, 2);
        Link link = new Link();
        meanwhile(() -> a.waitsForNext(link), () -> link.set(null), () -> link.set(new Link()));
        Elements.at(new int[1], 0);
        meanwhile(a::waitsForElement, () -> a.set(0), () -> a.set(1));
        a.set(0);
        a.count(() -> a.retries(new Next(1)), a.n::incrementAndGet);
        a.count(() -> a.adds(1.5), () -> (int) a.bits.incrementAndGet());
        BooleanSupplier fails = () -> a.waitsAndFails(2) > 0;
        System.out.println(a.other + " " + fails.getAsBoolean() + " " + isStopped[0] + " " + isTold[0] + " " + refused[0] + " " + length + " " + wasNeededBefore[0] + " " + counter.count);
    }
}
