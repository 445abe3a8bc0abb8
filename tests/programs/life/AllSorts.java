package life;

import atomic.WaitNotify;
import java.util.Arrays;
import schedule.Steps;

/**
 * Some of everything that hooks meet, in several threads: fields and elements of every type, statics, reentrant locks, exceptions out of
 * locked methods, recursion, arguments as an array, a wait, code that is compiled while it runs. Each method but one is atomic.
 * Neither the output nor the exit code depends on the schedule.
 */
public class AllSorts {
    private static final int ROUNDS = 1000;
    private static final int DEPTH = 60;
    private static volatile long ticks;
    private static Object last;

    private int count;
    private long wide;
    private double real;
    private float half;
    private boolean isOdd;
    private byte small;
    private char letter;
    private short number;
    private volatile int published;
    private AllSorts next;
    private final int[] ints = new int[16];
    private final long[] longs = new long[16];
    private final double[] doubles = new double[4];
    private final byte[] bytes = new byte[64];
    private final Object[] references = new Object[16];

    synchronized void fields(int i) {
        count += i;
        wide += count;
        wide -= count;
        wide += i;
        real += 0.5;
        half += 0.25f;
        isOdd = !isOdd;
        small++;
        letter++;
        number--;
        published++;
    }

    synchronized void elements(int i) {
        ints[i & 15] += i;
        longs[i & 15] += ints[i & 15] == 0 ? 0 : 1;
        doubles[i & 3] += 0.5;
        bytes[i & 63]++;
        references[i & 15] = references[i + 1 & 15] == null ? this : references[i + 1 & 15];
    }

    static synchronized void statics(Object newLast) {
        ticks++;
        last = newLast;
    }

    /** A reentrant lock, at each level. */
    synchronized int deep(int n) {
        count++;
        return n == 0 ? 0 : 1 + deep(n - 1);
    }

    synchronized int fails(int i) {
        count++;
        if (i % 3 == 0) {
            throw new IllegalStateException("by intent");
        }
        return i % 3 == 1 ? next.count : ints[count + 16];
    }

    static int sum(int... numbers) {
        int sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        return sum;
    }

    private static String caught(Runnable act) {
        try {
            act.run();
            return "nothing";
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName();
        }
    }

    // finding: life.AllSorts.increment() lost update
    void increment() {
        int seen = number;
        Steps.done(2);
        Steps.await(3);
        number = (short) (seen + 1);
    }

    void decrease() {
        number -= 5;
    }

    synchronized String state() {
        return count + " " + wide + " " + real + " " + half + " " + isOdd + " " + small + " " + (int) letter + " " + published;
    }

    /** What no other thread sees: an object that dies at once. */
    private static int alone(int round) {
        AllSorts own = new AllSorts();
        own.fields(round);
        return sum(own.count, own.published, round);
    }

    private static Thread worker(AllSorts shared, int[] results, int number) {
        return new Thread(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                int round = i;
                shared.fields(i);
                shared.elements(i);
                statics(shared);
                results[number] += alone(i);
                if (i % 50 == 0) {
                    results[number] += shared.deep(DEPTH) + caught(() -> shared.fails(round / 50)).length();
                }
            }
        }, "worker " + number);
    }

    // waits inside: life.AllSorts.workers(life.AllSorts)
    private static void workers(AllSorts shared) throws InterruptedException {
        int[] results = new int[3];
        Thread[] threads = new Thread[results.length];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = worker(shared, results, i);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(Arrays.toString(results) + " " + shared.state() + " " + ticks + " " + (last == shared));
    }

    // A hand-off by wait and notify: step 1.
    // waits inside: atomic.WaitNotify.take()
    public static void main(String[] args) throws InterruptedException {
        AllSorts shared = new AllSorts();
        workers(shared);
        WaitNotify.main(args);
        Steps.run(shared::increment, () -> {
            Steps.await(2);
            shared.decrease();
            Steps.done(3);
        });
        System.out.println("number " + shared.number);
        Thread fails = new Thread(() -> shared.fails(0));
        fails.setUncaughtExceptionHandler((thread, e) -> System.out.println("uncaught " + e.getMessage()));
        fails.start();
        fails.join();
        System.exit(7);
    }
}
