package dev.regiontrack.check;

import dev.regiontrack.runtime.bridge.EventCodes;
import dev.regiontrack.runtime.testing.JavaTransport;
import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.testing.Tap;
import java.util.HashMap;
import java.util.Map;

/**
 * Checks the order of the records against the values that the program saw. A recorded read must have returned the last
 * write in the merged order; a filtered read, the value of its covering event. A redundant write replaces the value of
 * its covering write.
 */
public final class OrderCheck {
    private long reads;
    private long filtered;
    private long wrong;
    private long wrongFiltered;
    private long dependencies;
    private long lockErrors;

    /** By thread: the values of its recorded accesses, in order, and how many of them have come. */
    private final Map<Integer, long[]> values = new HashMap<>();
    private final Map<Integer, Integer> accesses = new HashMap<>();
    /** By variable, its value; by lock, the thread that has it. */
    private final Map<Long, Long> current = new HashMap<>();
    private final Map<Long, Integer> holders = new HashMap<>();

    private OrderCheck() {
    }

    /** Checks all records; true if nothing is wrong. Prints one line. */
    public static boolean check() {
        OrderCheck check = new OrderCheck();
        for (Tap.Log log : Tap.logs()) {
            check.thread(log);
        }
        check.dependencies = Merge.of(JavaTransport.records(), check::event);
        System.out.println("reads " + check.reads + " filtered " + check.filtered + " wrong " + check.wrong + " wrong-filtered " + check.wrongFiltered
            + " dependencies " + check.dependencies + " lock-errors " + check.lockErrors + " whole " + (check.dependencies >= 0) + " lost " + JavaTransport.count(NativeBridge.LOST)
            + " failed " + JavaTransport.count(NativeBridge.FAILED));
        return check.wrong + check.wrongFiltered + check.lockErrors == 0 && check.dependencies >= 0;
    }

    /** A variable's state in one thread's view: value, position of the last recorded access, index of its value. */
    private static final class View {
        long value;
        long stamp;
        int index;
    }

    private void thread(Tap.Log log) {
        if (log.size == 0) {
            return;
        }
        long[] recorded = new long[log.size];
        int size = 0;
        Map<Long, View> views = new HashMap<>();
        for (int i = 0; i < log.size; i++) {
            long[] chunk = log.chunks.get(i / 16384);
            int at = i % 16384 * Tap.ENTRY;
            long kind = chunk[at];
            View view = views.computeIfAbsent(key(chunk[at + 1], kind >>> 8), k -> new View());
            boolean isWrite = (kind & 127) == EventCodes.WRITE;
            long value = chunk[at + 2];
            reads += isWrite ? 0 : 1;
            if ((kind & 128) != 0) {
                view.index = size;
                recorded[size++] = value;
            } else {
                filtered += isWrite ? 0 : 1;
                boolean isRight = view.stamp == chunk[at + 3] && (isWrite || view.value == value);
                wrongFiltered += isRight ? 0 : 1;
                if (isWrite) {
                    recorded[view.index] = value;
                }
            }
            view.stamp = chunk[at + 3];
            view.value = value;
        }
        values.put(log.thread, recorded);
    }

    private static long key(long object, long slot) {
        return object << 20 ^ slot;
    }

    private void event(int thread, int code, long extra, long id) {
        if (code == EventCodes.READ) {
            long value = next(thread);
            Long last = current.putIfAbsent(key(id, extra), value);
            wrong += last != null && last != value ? 1 : 0;
        } else if (code == EventCodes.WRITE) {
            current.put(key(id, extra), next(thread));
        } else if (code == EventCodes.ACQUIRE) {
            lockErrors += holders.put(id, thread) != null ? 1 : 0;
        } else if (code == EventCodes.RELEASE) {
            Integer holder = holders.remove(id);
            lockErrors += holder == null || holder != thread ? 1 : 0;
        }
    }

    private long next(int thread) {
        return values.get(thread)[accesses.merge(thread, 1, Integer::sum) - 1];
    }
}
