package dev.regiontrack.check;

import dev.regiontrack.runtime.bridge.EventCodes;
import dev.regiontrack.runtime.testing.JavaTransport;
import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.testing.Tap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Checks the items against the values that the program saw. Values are unique, so a value tells which write a read has read from and which write
 * has replaced it: each of these dependencies between threads must follow from an item of the later thread, at its position or before. And
 * each source of an item must be an access to its variable.
 */
public final class ItemCheck {
    /** By variable and value: the stamp of the write of it, and of the write that replaced it. */
    private final Map<Long, Long> writers = new HashMap<>();
    private final Map<Long, Long> replacers = new HashMap<>();
    /** Variables with stamps of accesses. */
    private final Set<Long> accesses = new HashSet<>();
    private static final long POSITION = (1L << 43) - 1;
    /** By thread, by source: by position of the item, the highest position of the source until then. */
    private final Map<Long, Map<Long, TreeMap<Long, Long>>> known = new HashMap<>();
    private long reads;
    private long edges;
    private long missing;
    private long sources;
    private long invented;

    private ItemCheck() {
    }

    /** Checks all logs; true if nothing is wrong. Prints one line. */
    public static boolean check() {
        ItemCheck check = new ItemCheck();
        Tap.logs().forEach(check::collect);
        JavaTransport.records().forEach((thread, items) -> {
            boolean isFirst = true;
            for (long[] item : items) {
                check.item(thread, item, isFirst);
                isFirst = false;
            }
        });
        Tap.logs().forEach(check::edges);
        System.out.println("reads " + check.reads + " edges " + check.edges + " missing " + check.missing + " sources " + check.sources + " invented " + check.invented
            + " lost " + JavaTransport.count(NativeBridge.LOST) + " failed " + JavaTransport.count(NativeBridge.FAILED));
        return check.missing + check.invented == 0 && check.edges > 0;
    }

    /** A number for a variable with a value or stamp: hashed, so that two of them are hardly the same. */
    private static long key(long object, long slot, long value) {
        long h = (object * 0x9e3779b97f4a7c15L ^ slot) * 0xbf58476d1ce4e5b9L ^ value;
        h = (h ^ h >>> 30) * 0xbf58476d1ce4e5b9L;
        h = (h ^ h >>> 27) * 0x94d049bb133111ebL;
        return h ^ h >>> 31;
    }

    private interface Entry {
        void take(int kind, long slot, long object, long value, long stamp);
    }

    private static void each(Tap.Log log, Entry entry) {
        for (int i = 0; i < log.size; i++) {
            long[] chunk = log.chunks.get(i / 16384);
            int at = i % 16384 * Tap.ENTRY;
            entry.take((int) chunk[at] & 127, chunk[at] >>> 8, chunk[at + 1], chunk[at + 2], chunk[at + 3]);
        }
    }

    private void collect(Tap.Log log) {
        each(log, (kind, slot, object, value, stamp) -> {
            accesses.add(key(object, slot, stamp));
            if (kind == EventCodes.WRITE) {
                writers.put(key(object, slot, value), stamp);
            } else if (kind == Tap.REPLACED) {
                replacers.put(key(object, slot, value), stamp);
            }
        });
    }

    /** The item is a record with its position, others, and the event last. A thread's first one has its fork as well. */
    private void item(int thread, long[] item, boolean isFirst) {
        long position = item[1];
        long word = item[item.length - 2];
        int code = (int) word & 255;
        boolean isAccess = code == EventCodes.READ || code == EventCodes.WRITE;
        for (int i = 2; i < item.length; i += 2) {
            if (((int) item[i] & 255) == EventCodes.DEPEND) {
                long stamp = item[i + 1];
                TreeMap<Long, Long> of = known.computeIfAbsent((long) thread, k -> new HashMap<>()).computeIfAbsent(stamp >>> 43, k -> new TreeMap<>());
                long last = of.isEmpty() ? 0 : of.lastEntry().getValue();
                of.put(position, Math.max(last, stamp & POSITION));
                sources++;
                boolean isReal = !isAccess || isFirst || accesses.contains(key(item[item.length - 1], word >>> 32, stamp));
                invented += isReal ? 0 : 1;
            }
        }
    }

    private void edges(Tap.Log log) {
        each(log, (kind, slot, object, value, stamp) -> {
            Long writer = kind == EventCodes.WRITE ? null : writers.get(key(object, slot, value));
            edge(writer, stamp);
            if (kind == EventCodes.READ) {
                reads++;
                edge(stamp, replacers.get(key(object, slot, value)));
            }
        });
    }

    /** An access must come before another one; null if there is none. */
    private void edge(Long before, Long after) {
        if (before == null || after == null || before >>> 43 == after >>> 43) {
            return;
        }
        edges++;
        missing += follows(after, before, new HashMap<>()) ? 0 : 1;
    }

    /** Whether a stamp follows another by items, of this thread or of those in between; {@code seen} has how far each thread was looked at. */
    private boolean follows(long after, long before, Map<Long, Long> seen) {
        long thread = after >>> 43;
        long position = after & POSITION;
        if (thread == before >>> 43) {
            return position >= (before & POSITION);
        }
        if (seen.getOrDefault(thread, -1L) >= position) {
            return false;
        }
        seen.put(thread, position);
        for (Map.Entry<Long, TreeMap<Long, Long>> of : known.getOrDefault(thread, Map.of()).entrySet()) {
            Map.Entry<Long, Long> last = of.getValue().floorEntry(position);
            if (last != null && follows(of.getKey() << 43 | last.getValue(), before, seen)) {
                return true;
            }
        }
        return false;
    }
}
