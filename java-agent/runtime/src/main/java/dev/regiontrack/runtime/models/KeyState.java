package dev.regiontrack.runtime.models;

/**
 * What is there for a key of a map, as far as calls have told, in a number. Values are known by numbers that do not keep them alive: what has different numbers is
 * different; what has the same can be two objects, so that more orders of calls seem possible than are, and none is excluded that was.
 */
final class KeyState {
    /** Nothing is known. */
    static final long ANY = 0;
    /** There is no value. */
    static final long ABSENT = 1;
    /** There is one, whichever it is. */
    static final long PRESENT = 2;
    /** Of what a call left: what it found. */
    static final long SAME = 3;
    /** A value that is known by its identity; one that is compared by what it is; the low bits. */
    private static final int OBJECT = 4;
    private static final int VALUE = 5;
    private static final int BITS = 3;
    private static final int KIND = (1 << BITS) - 1;
    /** With the number of a value: that is not there. */
    private static final long NOT = 1L << 62;
    private static final int TYPE = 32;

    private KeyState() {
    }

    /** What was there, by what a call returned. */
    static long of(Object value) {
        if (value == null) {
            return ABSENT;
        }
        if (value instanceof Integer) {
            return exact(1, (Integer) value);
        }
        if (value instanceof Boolean) {
            return exact(2, (Boolean) value ? 1 : 0);
        }
        if (value instanceof Character) {
            return exact(3, (Character) value);
        }
        if (value instanceof Long && (int) (long) (Long) value == (Long) value) {
            return exact(4, (int) (long) (Long) value);
        }
        return (long) System.identityHashCode(value) << BITS | OBJECT;
    }

    private static long exact(int type, int value) {
        return ((long) type << TYPE | value & 0xffffffffL) << BITS | VALUE;
    }

    /** A value that is equal to this one, which is not always the same. */
    static long equalTo(long value) {
        return (value & KIND) == VALUE ? value : PRESENT;
    }

    /** No value that is equal to this one. */
    static long not(long value) {
        return (value & KIND) == VALUE ? value | NOT : ANY;
    }

    /** True if what a call found can have been there when this was known. */
    static boolean canBe(long state, long found) {
        if (state == ANY || found == ANY) {
            return true;
        }
        if ((found & NOT) != 0) {
            return state != (found & ~NOT);
        }
        if ((state & NOT) != 0) {
            return found != (state & ~NOT);
        }
        if (state == ABSENT || found == ABSENT) {
            return state == found;
        }
        return state == PRESENT || found == PRESENT || state == found;
    }

    /** What is known after a call that found this and left that. */
    static long after(long state, long found, long left) {
        if (left != SAME) {
            return left;
        }
        boolean isVague = state == ANY || (found & NOT) == 0 && found != ANY && (state == PRESENT || (state & NOT) != 0);
        return isVague ? found : state;
    }
}
