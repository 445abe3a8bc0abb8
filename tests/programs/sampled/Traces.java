package sampled;

import java.lang.StackWalker.StackFrame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Collectors;

/**
 * What a program can see of its own stack, and what it does with exceptions, in methods of every kind: the same whichever body they run in. Prints
 * only what does not depend on timing.
 */
public class Traces {
    private static int created;
    private int value;
    private int[] numbers = {1, 2, 3};
    private Traces next;
    private final AtomicIntegerArray counts = new AtomicIntegerArray(2);

    Traces() {
        this(created++ > 0 ? "more" : "first");
    }

    Traces(String name) {
        super();
        value = name.length();
        if (value > 100) {
            throw new IllegalStateException(name);
        }
    }

    private static String names(StackTraceElement[] trace) {
        return Arrays.stream(trace).filter(frame -> frame.getClassName().startsWith("sampled."))
            .map(frame -> frame.getMethodName() + ":" + frame.getLineNumber()).collect(Collectors.joining(" "));
    }

    int depth(int n) {
        value += n;
        return n == 0 ? new Throwable().getStackTrace().length : depth(n - 1);
    }

    String walk() {
        value++;
        return StackWalker.getInstance().walk(frames -> frames.map(StackFrame::getMethodName).limit(3).collect(Collectors.joining(" ")));
    }

    Class<?> caller() {
        value++;
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).getCallerClass();
    }

    synchronized long mixed(long a, double b, float c, String d, int[] e) {
        value += (int) a;
        numbers[0] += e.length;
        return (long) (a + b + c) + d.length() + value - value;
    }

    String fails(int how) {
        try {
            switch (how) {
                case 0: return "" + next.value;
                case 1: return "" + numbers[value < 0 ? 0 : 7];
                case 2: return "" + counts.incrementAndGet(5);
                case 3: return "" + mixed(1, 2, 3, null, numbers);
                case 4: return new Traces("x".repeat(200)).toString();
                default: return (String) (Object) numbers;
            }
        } finally {
            value++;
        }
    }

    synchronized int recursion(int n) {
        value++;
        return 1 + recursion(n + 1);
    }

    void all(List<String> lines) {
        lines.add(depth(3) - depth(0) + " " + walk() + " " + caller().getName());
        lines.add("" + mixed(1L, 2.5, 3.5f, "four", new int[5]));
        for (int how = 0; how <= 5; how++) {
            try {
                lines.add(fails(how));
            } catch (RuntimeException e) {
                lines.add(e.getClass().getName() + " " + e.getMessage() + " " + names(e.getStackTrace()));
            }
        }
        try {
            lines.add("" + recursion(0));
        } catch (StackOverflowError e) {
            lines.add("overflow " + Thread.holdsLock(this));
        }
    }

    public static void main(String[] args) throws InterruptedException {
        // Enough for the compilers to take part.
        for (int round = 0; round < 40; round++) {
            List<List<String>> lines = List.of(new ArrayList<>(), new ArrayList<>());
            List<Thread> threads = new ArrayList<>();
            for (List<String> own : lines) {
                threads.add(new Thread(() -> new Traces().all(own)));
            }
            for (Thread thread : threads) {
                thread.start();
                thread.join();
            }
            lines.forEach(own -> own.forEach(System.out::println));
        }
    }
}
