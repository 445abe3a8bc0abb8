package dev.regiontrack.check;

import dev.regiontrack.runtime.bridge.EventCodes;
import dev.regiontrack.runtime.testing.JavaTransport;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Prints the records of the main thread and of the threads that it starts, as text, with the program's marks between them. */
public final class Dump {
    private static final List<String> MARKS = new ArrayList<>();
    private static final List<Long> AT = new ArrayList<>();
    private static final Map<Integer, String> NAMES = new HashMap<>();
    private static final Map<Long, String> OBJECTS = new HashMap<>();
    /** By thread: how many of its parts {@link #next} has printed. */
    private static final Map<Integer, Integer> SHOWN = new HashMap<>();
    private static boolean isReleased;

    private Dump() {
    }

    /** Sets a mark: the following records belong to it. */
    public static void mark(String name) {
        MARKS.add(name);
        AT.add(size(JavaTransport.records()));
    }

    private static long size(TreeMap<Integer, List<long[]>> records) {
        long size = 0;
        for (long[] part : records.getOrDefault(main(records), List.of())) {
            size += part.length / 2;
        }
        return size;
    }

    /** How many reads the main thread has recorded so far. */
    public static long reads() {
        return count(EventCodes.READ);
    }

    /** How many writes. */
    public static long writes() {
        return count(EventCodes.WRITE);
    }

    private static long count(int code) {
        TreeMap<Integer, List<long[]>> records = JavaTransport.records();
        long count = 0;
        for (long[] part : records.getOrDefault(main(records), List.of())) {
            for (int i = 0; i < part.length; i += 2) {
                count += (part[i] & 255) == code ? 1 : 0;
            }
        }
        return count;
    }

    /** The main thread makes the first event. */
    private static int main(TreeMap<Integer, List<long[]>> records) {
        return records.isEmpty() ? 1 : records.firstKey();
    }

    /** Waits for {@link #release}, without an event. */
    public static void hold() {
        synchronized (MARKS) {
            while (!isReleased) {
                try {
                    MARKS.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    /** Lets a thread go on that waits in {@link #hold}. */
    public static void release() {
        synchronized (MARKS) {
            isReleased = true;
            MARKS.notifyAll();
        }
    }

    /** Prints everything so far. */
    public static void print() throws ReflectiveOperationException {
        TreeMap<Integer, List<long[]>> records = JavaTransport.records();
        for (Field f : EventCodes.class.getFields()) {
            NAMES.put(f.getInt(null), f.getName());
        }
        records.forEach((thread, parts) -> {
            System.out.println("thread " + thread);
            long at = 0;
            int mark = 0;
            for (long[] part : parts) {
                for (int i = 0; i < part.length; i += 2, at++) {
                    while (thread == main(records) && mark < MARKS.size() && AT.get(mark) <= at) {
                        System.out.println("# " + MARKS.get(mark++));
                    }
                    System.out.println(text(part[i], part[i + 1]));
                }
            }
        });
    }

    /** Prints what each thread has recorded since the last call. */
    public static void next(String name) throws ReflectiveOperationException {
        TreeMap<Integer, List<long[]>> records = JavaTransport.records();
        for (Field f : EventCodes.class.getFields()) {
            NAMES.put(f.getInt(null), f.getName());
        }
        System.out.println("# " + name);
        records.forEach((thread, parts) -> {
            int first = SHOWN.getOrDefault(thread, 0);
            if (first < parts.size()) {
                System.out.println("thread " + thread);
            }
            for (long[] part : parts.subList(first, parts.size())) {
                for (int i = 0; i < part.length; i += 2) {
                    System.out.println(text(part[i], part[i + 1]));
                }
            }
            SHOWN.put(thread, parts.size());
        });
    }

    /** A stamp; a question mark follows that of a tentative read. */
    private static String stamp(long stamp) {
        int thread = (int) (stamp >>> 43);
        int mark = 1 << 19;
        return (thread & ~mark) + "@" + (stamp & (1L << 43) - 1) + (thread < mark ? "" : "?");
    }

    private static String text(long word, long other) {
        int code = (int) word & 255;
        String name = NAMES.get(code);
        switch (code) {
            case EventCodes.DEPEND: case EventCodes.TENTATIVE: return name + " " + stamp(other);
            case EventCodes.SETTLED: return name + " " + stamp(other) + (word >>> 32 == 1 ? " used" : "");
            case EventCodes.READ: case EventCodes.WRITE: return name + " " + object(other) + "." + (word >>> 32);
            case EventCodes.ACQUIRE: case EventCodes.RELEASE: return name + " " + object(other);
            case 0: return "item " + other;
            case EventCodes.PUSH: return name + " " + other + (word >>> 32 == 1 ? " waited" : "");
            case EventCodes.END: return name + (word >>> 32 == 1 ? " by exception" : "");
            case EventCodes.BEGIN: return name;
            default: return name + " " + other;
        }
    }

    private static String object(long id) {
        return OBJECTS.computeIfAbsent(id, k -> "o" + (OBJECTS.size() + 1));
    }
}
