package dev.regiontrack.check;

import dev.regiontrack.runtime.EventCodes;
import dev.regiontrack.runtime.JavaTransport;
import dev.regiontrack.runtime.NativeBridge;
import dev.regiontrack.runtime.Tap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
    private boolean isWhole = true;

    /** By thread: the values of its recorded accesses, in order. */
    private final Map<Integer, long[]> values = new HashMap<>();

    private OrderCheck() {
    }

    /** Checks all records; true if nothing is wrong. Prints one line. */
    public static boolean check() {
        OrderCheck check = new OrderCheck();
        for (Tap.Log log : Tap.logs()) {
            check.thread(log);
        }
        check.merge(JavaTransport.records());
        System.out.println("reads " + check.reads + " filtered " + check.filtered + " wrong " + check.wrong + " wrong-filtered " + check.wrongFiltered
            + " dependencies " + check.dependencies + " lock-errors " + check.lockErrors + " whole " + check.isWhole + " lost " + JavaTransport.count(NativeBridge.LOST)
            + " failed " + JavaTransport.count(NativeBridge.FAILED));
        return check.wrong + check.wrongFiltered + check.lockErrors == 0 && check.isWhole;
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

    /** One thread's stream. */
    private static final class Stream {
        final List<long[]> parts;
        int part;
        int at;
        long done;
        int access;

        Stream(List<long[]> parts) {
            this.parts = parts;
        }

        boolean hasMore() {
            while (part < parts.size() && at == parts.get(part).length) {
                part++;
                at = 0;
            }
            return part < parts.size();
        }
    }

    private void merge(TreeMap<Integer, List<long[]>> records) {
        Map<Integer, Stream> streams = new HashMap<>();
        records.forEach((thread, parts) -> streams.put(thread, new Stream(parts)));
        Map<Long, Long> current = new HashMap<>();
        Map<Long, Integer> holders = new HashMap<>();
        boolean hasMoved = true;
        while (hasMoved) {
            hasMoved = false;
            for (Map.Entry<Integer, Stream> e : streams.entrySet()) {
                hasMoved |= advance(e.getKey(), e.getValue(), streams, current, holders);
            }
        }
        for (Stream stream : streams.values()) {
            isWhole &= !stream.hasMore();
        }
    }

    private boolean advance(int thread, Stream s, Map<Integer, Stream> streams, Map<Long, Long> current, Map<Long, Integer> holders) {
        boolean hasMoved = false;
        while (s.hasMore()) {
            long word = s.parts.get(s.part)[s.at];
            long other = s.parts.get(s.part)[s.at + 1];
            int code = (int) word & 255;
            if (code == EventCodes.DEPEND) {
                Stream on = streams.get((int) (other >>> 43));
                if (on == null || on.done < (other & (1L << 43) - 1)) {
                    return hasMoved;
                }
                dependencies++;
            } else if (code != EventCodes.UNSEEN) {
                s.done++;
                event(thread, s, code, word >>> 32, other, current, holders);
            }
            s.at += 2;
            hasMoved = true;
        }
        return hasMoved;
    }

    private void event(int thread, Stream s, int code, long extra, long id, Map<Long, Long> current, Map<Long, Integer> holders) {
        if (code == EventCodes.READ) {
            long value = values.get(thread)[s.access++];
            Long last = current.putIfAbsent(key(id, extra), value);
            wrong += last != null && last != value ? 1 : 0;
        } else if (code == EventCodes.WRITE) {
            current.put(key(id, extra), values.get(thread)[s.access++]);
        } else if (code == EventCodes.ACQUIRE) {
            lockErrors += holders.put(id, thread) != null ? 1 : 0;
        } else if (code == EventCodes.RELEASE) {
            Integer holder = holders.remove(id);
            lockErrors += holder == null || holder != thread ? 1 : 0;
        }
    }
}
