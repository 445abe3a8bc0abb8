package online;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;

/**
 * Two threads in the order that a bug needs. The first stops where it calls {@link #gate()}, in an object of ours that the library
 * calls. Meanwhile the second runs to its end, or until it waits for a lock that the first holds. So the order does not depend on time.
 *
 * <p>Nothing in this package is an event of the run ({@code exclude=online.*}). The threads communicate by volatile fields: the JDK's
 * latches and joins are watched in whatever class they are called, and would order the threads.
 *
 * <p>With {@code -Donline.apart=true} the first thread does not stop, and the second one begins when the first has ended: nothing goes wrong.
 */
final class Race {
    private static final boolean IS_APART = Boolean.getBoolean("online.apart");
    private static Thread first;
    private static Thread second;
    private static volatile boolean isOpen;
    private static volatile boolean isOver;
    private static volatile String order = IS_APART ? "the second thread ran after the first" : "the first thread did not come to the gate";

    private Race() {
    }

    /** The work of a thread. Returns what is printed. */
    interface Part {
        Object run() throws Exception;
    }

    /** A part without a result. */
    interface Step {
        void run() throws Exception;
    }

    /** Converts a step to a part. */
    static Part done(Step step) {
        return () -> {
            step.run();
            return "done";
        };
    }

    /** Runs both parts, and prints their order and their outcomes. */
    static void run(Part firstPart, Part secondPart) throws InterruptedException {
        String[] ends = new String[2];
        first = new Thread(() -> {
            ends[0] = end(firstPart);
            isOpen = true;
        }, "first");
        second = new Thread(() -> {
            while (!isOpen) {
                Thread.yield();
            }
            ends[1] = end(secondPart);
            isOver = true;
        }, "second");
        second.start();
        first.start();
        first.join();
        second.join();
        System.out.println(order);
        System.out.println("first: " + ends[0]);
        System.out.println("second: " + ends[1]);
    }

    /** Lets the second thread run. Only the first thread waits here, and only once. */
    static void gate() {
        if (IS_APART || Thread.currentThread() != first || isOpen) {
            return;
        }
        isOpen = true;
        while (!isOver) {
            if (isHeldUp()) {
                order = "the second thread waited for a lock of the first";
                return;
            }
            Thread.yield();
        }
        order = "the second thread ran while the first was at the gate";
    }

    /** Whether the second thread waits for a lock that the first holds, and so cannot continue before the first does. */
    private static boolean isHeldUp() {
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(second.getId());
        return info != null && info.getLockOwnerId() == first.getId();
    }

    private static String end(Part part) {
        try {
            return String.valueOf(part.run());
        } catch (Exception e) {
            return e.getClass().getName();
        }
    }
}
