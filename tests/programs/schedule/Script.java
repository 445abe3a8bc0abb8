package schedule;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A schedule: what each of several threads does, and in which order all of them do it. A line is a thread, a letter for
 * what it does, and the number of a block, variable or lock; the lines are the order. Like everything in this package it
 * makes no events.
 */
public final class Script {
    /** The most threads, and the most variables and locks. */
    public static final int MOST = 8;

    private static final AtomicInteger TURN = new AtomicInteger();

    private static int[][] turns;
    private static char[][] kinds;
    private static int[][] arguments;
    private static int[] at;
    private static Object[] cells;
    private static Object[] locks;

    private Script() {
    }

    /** Loads a schedule. Returns how many threads it has. */
    public static int load(String text) {
        String[] lines = text.trim().split("\n");
        turns = new int[MOST][lines.length];
        kinds = new char[MOST][lines.length];
        arguments = new int[MOST][lines.length];
        int[] lengths = new int[MOST];
        int threads = 0;
        for (int turn = 0; turn < lines.length; turn++) {
            String[] words = lines[turn].split(" ");
            int thread = Integer.parseInt(words[0]);
            int number = lengths[thread]++;
            turns[thread][number] = turn;
            kinds[thread][number] = words[1].charAt(0);
            arguments[thread][number] = Integer.parseInt(words[2]);
            threads = Math.max(threads, thread + 1);
        }
        at = new int[MOST];
        java.util.Arrays.fill(at, -1);
        cells = new Object[MOST];
        locks = new Object[MOST];
        for (int lock = 0; lock < MOST; lock++) {
            locks[lock] = new Object();
        }
        TURN.set(0);
        return threads;
    }

    /** Turns to the next thing that a thread does: its letter, or 0 after the last. */
    public static char next(int thread) {
        int next = ++at[thread];
        return next < kinds[thread].length ? kinds[thread][next] : 0;
    }

    /** Waits until it is that thing's turn. */
    public static void await(int thread) {
        while (TURN.get() != turns[thread][at[thread]]) {
            Thread.yield();
        }
    }

    /** It is done: the next line has its turn. */
    public static void done() {
        TURN.incrementAndGet();
    }

    /** The number in the line. */
    public static int argument(int thread) {
        return arguments[thread][at[thread]];
    }

    /**
     * Calls the agent's hook of the line, as the code of a round would: {@code t} begins a round, {@code f} leads back to its start, and {@code s} says
     * that what was read was used.
     */
    public static void round(int thread) {
        char kind = kinds[thread][at[thread]];
        String hook = kind == 't' ? "begin" : kind == 'f' ? "again" : "used";
        try {
            Class<?> state = Class.forName("dev.regiontrack.runtime.threads.ThreadState", true, null);
            Object own = Class.forName("dev.regiontrack.runtime.threads.Threads", true, null).getMethod("current").invoke(null);
            Class.forName("dev.regiontrack.runtime.hooks.Rounds", true, null).getMethod(hook, state).invoke(null, own);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The variable of the line. */
    public static Object cell(int thread) {
        return cells[argument(thread)];
    }

    /** Sets a variable. */
    public static void put(int number, Object cell) {
        cells[number] = cell;
    }

    /** The lock of the line. */
    public static Object lock(int thread) {
        return locks[argument(thread)];
    }

    /** A value that was read is used. */
    public static void use(int value) {
        if (value < 0) {
            throw new IllegalStateException("no thread writes " + value);
        }
    }
}
