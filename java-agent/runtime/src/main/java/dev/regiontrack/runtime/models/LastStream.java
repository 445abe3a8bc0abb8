package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.memory.WeakTable;
import java.lang.ref.WeakReference;
import java.util.stream.BaseStream;

/**
 * The stream over a collection that a thread has made last and not used yet. Most streams are made, linked and ended in one expression, and entering
 * each stage in a weak table would take longer than the stage itself. A stream that is made while another one waits moves that one to the table,
 * where any thread finds it.
 */
public final class LastStream {
    /** Whether there was a stream over a collection. Every thread that has one sees this, too. */
    private static boolean hasStreams;
    /** Whether a stream was moved to the table. Its thread sees this, and every thread that got the stream from it. */
    private static boolean areInTable;

    /** Weak, so that the stream can be collected. */
    private WeakReference<Object> stream;
    /** What the stream goes over. */
    private Object of;

    /** Whether any thread has made a stream. */
    static boolean hasAny() {
        return hasStreams;
    }

    /** Whether streams may be in the table. */
    static boolean areInTable() {
        return areInTable;
    }

    /** Returns what a stream goes over that the thread uses now, as it does once with each; null if it is not the last one. */
    Object use(Object o) {
        if (stream == null || stream.get() != o) {
            return null;
        }
        Object known = of;
        stream = null;
        of = null;
        return known;
    }

    /** Keeps what the thread has made of a collection, or linked to such a stream; returns false if it is no stream. */
    boolean keep(Object o, Object over, WeakTable table) {
        if (!(o instanceof BaseStream)) {
            return false;
        }
        Object last = stream == null ? null : stream.get();
        if (last != null && last != o) {
            areInTable = true;
            table.put(last, of);
        }
        hasStreams = true;
        stream = new WeakReference<>(o);
        of = over;
        return true;
    }
}
