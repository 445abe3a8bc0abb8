package dev.regiontrack.runtime.testing;

import dev.regiontrack.runtime.bridge.EventCodes;
import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.protocol.Probe;
import dev.regiontrack.runtime.protocol.Protocol;
import dev.regiontrack.runtime.protocol.Stamp;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.threads.ThreadState;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A log of every access, recorded or filtered, with its value and covering stamp: a probe, attached by
 * {@code -Dregiontrack.test.probe=dev.regiontrack.runtime.testing.Tap}.
 */
public final class Tap extends Probe {
    /** A deliberately wrong hook: it takes the value after it has checked the stamp. */
    private static final boolean MUTANT = Boolean.getBoolean("regiontrack.test.mutant");
    /** Longs per entry: kind and slot, object, value, covering stamp; in dependency mode the stamp that stands for the access, or the segment
     * of a read that was filtered. */
    public static final int ENTRY = 4;
    /** In dependency mode, the kind of an entry after each write: the value that it has replaced. */
    public static final int REPLACED = 127;
    private static final List<Log> LOGS = new ArrayList<>();

    private final Log log;
    private int turns;
    /** By the number of a variable with several readers: the stamp with which this thread has read it. */
    private final Map<Long, Long> covers = new HashMap<>();
    /** The current access: its variable, the place of its value, the position before it, the stamp that covers it. */
    private Shadow shadow;
    private int slot;
    private Object holder;
    private long offset;
    private char type;
    private long before;
    private long cover;
    private long replaced;

    /** The first probe, which creates those of the threads. */
    public Tap() {
        this(null);
    }

    private Tap(Log log) {
        this.log = log;
    }

    /** True if it is attached. */
    public static boolean isOn() {
        return Probe.ON;
    }

    /** True in dependency mode. */
    public static boolean hasItems() {
        return ThreadState.EPOCHS;
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

    /** All logs; the threads must be dead. */
    public static List<Log> logs() {
        return LOGS;
    }

    /**
     * Writes all logs to a file; the threads have to be dead. Its first line is {@code regiontrack-tap 1}; then for
     * each thread its number (u32), the length of its name (u32), its name, how many accesses (u64), and their entries,
     * little-endian.
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

    @Override
    protected Probe attached(Thread thread) {
        return new Tap(new Log(thread.getName()));
    }

    @Override
    protected void at(ThreadState t, Shadow h, int slotOf, Object in, long where, char kind) {
        shadow = h;
        slot = slotOf;
        holder = in;
        offset = where;
        type = kind;
        before = t.position;
    }

    @Override
    protected void covered(long stamp) {
        cover = Stamp.isShared(stamp) ? covers.getOrDefault(stamp, 0L) : stamp;
    }

    @Override
    protected void remembered(long shared, long stamp) {
        covers.put(shared, stamp);
    }

    @Override
    public long filtered(ThreadState t, long value) {
        // Lets the other threads write between the wrong hook's two steps.
        if (MUTANT && (++turns & 255) == 0) {
            Thread.yield();
        }
        long used = MUTANT ? Memory.bits(holder, offset, type) : value;
        log.add(t.number, EventCodes.READ | (long) slot << 8, shadow.id, used, ThreadState.EPOCHS ? t.seg : cover);
        return used;
    }

    @Override
    public void renewed(ThreadState t, long value) {
        log.add(t.number, EventCodes.READ | (long) slot << 8, shadow.id, value, t.last());
    }

    @Override
    protected void replaces() {
        replaced = Memory.bits(holder, offset, type);
    }

    /** In dependency mode, the stamp that stands for a write of the locked variable: an earlier one only if it is of the thread's segment. */
    private static long stampOfWrite(ThreadState t) {
        return t.isMine(t.held.word) ? t.held.word : t.last();
    }

    /** In dependency mode, the stamp that stands for a read of the locked variable. */
    private long stampOfRead(ThreadState t) {
        long r = Protocol.read(shadow, slot);
        long own = Stamp.isShared(r) ? shadow.readers(slot).of(t.number) : r;
        long w = Protocol.written(shadow, slot);
        return t.isMine(own) ? own : t.isMine(w) ? w : t.last();
    }

    @Override
    public void locked(ThreadState t, boolean isWrite) {
        if (ThreadState.EPOCHS) {
            log.add(t.number, (isWrite ? EventCodes.WRITE : EventCodes.READ) | (long) slot << 8, shadow.id, Memory.bits(holder, offset, type),
                isWrite ? stampOfWrite(t) : stampOfRead(t));
            if (isWrite) {
                log.add(t.number, REPLACED | (long) slot << 8, shadow.id, replaced, t.last());
            }
            return;
        }
        boolean isRecorded = t.position != before;
        long kind = (isWrite ? EventCodes.WRITE : EventCodes.READ) | (isRecorded ? 128 : 0) | (long) slot << 8;
        long stamp = isRecorded ? Stamp.of(t.number, t.position) : isWrite ? t.held.word : cover;
        log.add(t.number, kind, shadow.id, Memory.bits(holder, offset, type), stamp);
    }
}
