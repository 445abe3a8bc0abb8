package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.memory.Refs;
import jdk.internal.misc.Unsafe;

/**
 * Tells whether an iterator has returned a node that the map still has, and not one from before a copy or a removal. A node enters a map only once,
 * so one that is there now was there all the time since the iterator reached it, and writes of the key went to it.
 */
final class LiveNodes {
    private static final String MAP = "java.util.concurrent.ConcurrentHashMap";
    private static final Unsafe U = Memory.U;
    /** No bin has more, except in a table of the largest size, or with keys that are made for it. */
    private static final int MOST = 1 << 10;
    /** The hash of the head of a bin that is a tree. */
    private static final int TREE = -2;
    private static final String SKIP_LIST = "java.util.concurrent.ConcurrentSkipListMap";
    /**
     * Offsets of the iterator's map and its last node, the map's table, and a node's hash and successor; null if the JVM's fields have other
     * names.
     */
    private static final long[] FIELDS = fields();

    /** Offset of the first node of a tree; 0 if it has another name. */
    private static final long FIRST = offset(MAP + "$TreeBin", "first");

    private LiveNodes() {
    }

    private static long offset(String type, String field) {
        try {
            return U.objectFieldOffset(Class.forName(type, false, null), field);
        } catch (ClassNotFoundException | InternalError e) {
            return 0;
        }
    }

    private static long[] fields() {
        try {
            Class<?> iterator = Class.forName(MAP + "$BaseIterator", false, null);
            Class<?> node = Class.forName(MAP + "$Node", false, null);
            return new long[] {U.objectFieldOffset(iterator, "map"), U.objectFieldOffset(iterator, "lastReturned"),
                U.objectFieldOffset(Class.forName(MAP, false, null), "table"), U.objectFieldOffset(node, "hash"), U.objectFieldOffset(node, "next")};
        } catch (ClassNotFoundException | InternalError e) {
            return null;
        }
    }

    /** Whether an iterator has returned such a node. A skip list marks removed nodes, and its iterators pass them over. */
    static boolean isOne(Object iterator) {
        String type = iterator.getClass().getName();
        return type.startsWith(SKIP_LIST + '$') || FIELDS != null && type.startsWith(MAP) && type.endsWith("Iterator") && isInTable(iterator);
    }

    private static boolean isInTable(Object iterator) {
        Object node = Refs.get(iterator, FIELDS[1]);
        Object[] table = (Object[]) Refs.getAcquire(Refs.get(iterator, FIELDS[0]), FIELDS[2]);
        if (node == null || table == null) {
            return false;
        }
        int at = table.length - 1 & U.getInt(node, FIELDS[3]);
        Object n = Refs.getAcquire(table, Memory.element('L', at));
        if (n != null && n != node && FIRST != 0 && U.getInt(n, FIELDS[3]) == TREE) {
            n = Refs.getAcquire(n, FIRST);
        }
        // A bin that has moved has a head without a hash of its own.
        for (int i = 0; n != null && n != node && i < MOST && U.getInt(n, FIELDS[3]) >= 0; i++) {
            n = Refs.getAcquire(n, FIELDS[4]);
        }
        return n == node;
    }
}
