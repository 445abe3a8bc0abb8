package schedule;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Sequences of calls that several threads make in exactly the order of the lines. A line is a thread, a letter for what it does, and words; an empty line
 * ends a sequence. Keeps what each call returned. Like everything in this package it makes no events.
 */
public final class Sequences {
    /** An element of a queue: equal to nothing but itself, and in the order of the numbers. */
    public static final class Element implements Comparable<Element> {
        private final int number;

        Element(int number) {
            this.number = number;
        }

        @Override
        public int compareTo(Element other) {
            return Integer.compare(number, other.number);
        }

        @Override
        public String toString() {
            return "e" + number;
        }
    }

    private static final int SPINS = 2000;
    private static final int MOST = 4;

    private static String[][] lines;
    private static int[] threads;
    private static volatile int turn;
    private static final Thread[] PLAYERS = new Thread[MOST];
    private static final Object[] OBJECTS = new Object[MOST];
    private static final Object[][] KEPT = new Object[MOST][MOST];
    private static final List<Element> ELEMENTS = new ArrayList<>();
    private static final StringBuilder RESULTS = new StringBuilder();

    private Sequences() {
    }

    /** Takes the sequences of a text. */
    public static void load(String text) {
        String[] all = text.split("\n");
        lines = new String[all.length][];
        threads = new int[all.length];
        for (int number = 0; number < all.length; number++) {
            lines[number] = all[number].split(" ");
            threads[number] = Integer.parseInt(lines[number][0]);
        }
    }

    /** Says which thread is one of the players, before it plays. */
    public static void enter(int thread) {
        synchronized (PLAYERS) {
            PLAYERS[thread] = Thread.currentThread();
        }
    }

    /** Waits for the next turn of a thread. Returns its letter, or 0 if nothing is left. */
    public static char next(int thread) {
        for (int spins = 0;; spins++) {
            int now = turn;
            if (now >= lines.length) {
                return 0;
            }
            if (threads[now] == thread) {
                return lines[now][1].charAt(0);
            }
            if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(100_000);
            }
        }
    }

    /** The turn is over. */
    public static void done() {
        int now = turn + 1;
        turn = now;
        Thread next;
        synchronized (PLAYERS) {
            next = now < lines.length ? PLAYERS[threads[now]] : null;
        }
        if (next != null && next != Thread.currentThread()) {
            LockSupport.unpark(next);
        }
    }

    /** A word of the line whose turn it is. */
    public static String word(int at) {
        return lines[turn][at];
    }

    /** A number in this line. */
    public static int number(int at) {
        return Integer.parseInt(word(at));
    }

    /** An object of the sequence. */
    public static Object object(int number) {
        return OBJECTS[number];
    }

    /** A new object of the sequence, which begins with its first one. */
    public static void make(int number, Object object) {
        if (number == 0) {
            ELEMENTS.clear();
            RESULTS.append('\n');
        }
        OBJECTS[number] = object;
        for (Object[] kept : KEPT) {
            kept[number] = null;
        }
    }

    /** What a thread keeps of an object, such as an iterator. */
    public static Object kept(int thread, int object) {
        return KEPT[thread][object];
    }

    /** Keeps it. Returns the result of the call. */
    public static String keep(int thread, int object, Object what) {
        KEPT[thread][object] = what;
        return "x";
    }

    /** An element by its number. */
    public static Element element(int number) {
        while (ELEMENTS.size() <= number) {
            ELEMENTS.add(new Element(ELEMENTS.size()));
        }
        return ELEMENTS.get(number);
    }

    /** What a call returned, or that it returned false and has left elements in a collection. */
    public static Object kept(boolean result, Collection<?> collection) {
        return result || collection.isEmpty() ? (Object) result : "kept";
    }

    /** True if there are elements in a map. */
    public static boolean isFilled(Map<?, ?> map) {
        return !map.isEmpty();
    }

    /** The same of a collection. */
    public static boolean isFilled(Collection<?> collection) {
        return !collection.isEmpty();
    }

    /** What a call has added to the end of a collection; null if nothing. */
    public static Object added(int count, Collection<?> collection) {
        Object last = null;
        for (Object element : collection) {
            last = element;
        }
        return count == 0 ? null : last;
    }

    /** Notes what a call returned. */
    public static void returned(Object result) {
        RESULTS.append(text(result)).append(' ');
    }

    /** A result with a mark. */
    public static String marked(Object result) {
        return text(result) + '~';
    }

    /** The keys of a map in their order; empty of another object. */
    public static String order(Object object) {
        return object instanceof Map ? ((Map<?, ?>) object).keySet().toString() : "";
    }

    /** How many entries a map has. */
    public static int entries(Map<?, ?> map) {
        return map.size();
    }

    /** True if this very entry is in a map. */
    public static boolean has(Map<?, ?> map, Object entry) {
        for (Object each : map.entrySet()) {
            if (each == entry) {
                return true;
            }
        }
        return false;
    }

    private static String text(Object result) {
        if (result instanceof Map.Entry) {
            return text(((Map.Entry<?, ?>) result).getKey());
        }
        boolean isPlain = result instanceof Boolean || result instanceof Number || result instanceof String || result instanceof Element;
        return result == null ? "null" : isPlain ? result.toString() : "x";
    }

    /** What all calls have returned: a line for each sequence. */
    public static String results() {
        return RESULTS.toString();
    }
}
