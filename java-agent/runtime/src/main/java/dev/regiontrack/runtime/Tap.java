package dev.regiontrack.runtime;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The test-only tap: a log of every access, recorded or filtered, with its value and covering stamp. On with the system property
 * {@code regiontrack.test.tap=true}; without it the hooks contain nothing of it.
 */
public final class Tap {
    public static final boolean ON = Boolean.getBoolean("regiontrack.test.tap");
    /** The hook that is wrong on purpose: it takes the value after it has looked at the stamp. */
    static final boolean MUTANT = Boolean.getBoolean("regiontrack.test.mutant");
    /** Longs an entry: kind and slot, object, value, covering stamp. */
    public static final int ENTRY = 4;
    private static int turns;
    private static final List<Log> LOGS = new ArrayList<>();

    private Tap() {
    }

    /** One thread's accesses, in its order. */
    public static final class Log {
        public int thread;
        public final String name;
        public int size;
        public final List<long[]> chunks = new ArrayList<>();
        private long[] chunk;
        private int at;

        Log(String name) {
            this.name = name;
            synchronized (LOGS) {
                LOGS.add(this);
            }
        }

        void add(int thread, long kind, long object, long value, long stamp) {
            if (chunk == null || at == chunk.length) {
                chunk = new long[ENTRY * 16384];
                chunks.add(chunk);
                at = 0;
            }
            this.thread = thread;
            chunk[at++] = kind;
            chunk[at++] = object;
            chunk[at++] = value;
            chunk[at++] = stamp;
            size++;
        }
    }

    /** All logs; the threads have to be dead. */
    public static List<Log> logs() {
        return LOGS;
    }

    /**
     * Writes all logs to a file; the threads have to be dead. Its first line is {@code regiontrack-tap 1}; then for each thread its number
     * (u32), the length of its name (u32), its name, how many accesses (u64), and their entries, little-endian.
     */
    public static void write(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            out.write("regiontrack-tap 1\n".getBytes(StandardCharsets.UTF_8));
            for (Log log : LOGS) {
                byte[] name = log.name.getBytes(StandardCharsets.UTF_8);
                out.write(words(16 + name.length).putInt(log.thread).putInt(name.length).put(name).putLong(log.size).array());
                int left = log.size * ENTRY;
                for (long[] chunk : log.chunks) {
                    int n = Math.min(left, chunk.length);
                    ByteBuffer bytes = words(n * Long.BYTES);
                    bytes.asLongBuffer().put(chunk, 0, n);
                    out.write(bytes.array());
                    left -= n;
                }
            }
        }
    }

    private static ByteBuffer words(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Gives the other threads a chance to write between the wrong hook's two steps. */
    static void pause() {
        if (MUTANT && (++turns & 255) == 0) {
            Thread.yield();
        }
    }

    /** An access under the variable's lock. */
    static void locked(ThreadState t, boolean isWrite) {
        long value = Memory.bits(t.target, t.place, t.type);
        long stamp = t.isRecorded ? Stamp.of(t.number, t.position) : isWrite ? t.unlockWord : t.cover;
        add(t, isWrite, t.isRecorded, value, stamp);
    }

    /** A read that the first check has found redundant. */
    static void covered(Object o, ThreadState t, Site s, long value) {
        long stamp = t.cover;
        Shadow h = s.statics;
        if (s.state == Site.FOREIGN) {
            h = t.shadow;
        } else if (h == null) {
            h = (Shadow) Refs.get(o, s.shadowOffset);
        }
        t.log.add(t.number, EventCodes.READ | (long) s.slot << 8, h.id, value, stamp);
    }

    /** A read of the variable at hand that was found redundant. */
    static void covered(ThreadState t, long value) {
        add(t, false, false, value, t.cover);
    }

    private static void add(ThreadState t, boolean isWrite, boolean isRecorded, long value, long stamp) {
        long kind = (isWrite ? EventCodes.WRITE : EventCodes.READ) | (isRecorded ? 128 : 0) | (long) t.slot << 8;
        t.log.add(t.number, kind, t.shadow.id, value, stamp);
    }
}
