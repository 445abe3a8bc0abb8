package dev.regiontrack.runtime;

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
        public int size;
        public final List<long[]> chunks = new ArrayList<>();
        private long[] chunk;
        private int at;

        Log() {
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
