package dev.regiontrack.runtime.models;

/**
 * What is there for a key of a map, as far as calls have shown, as a number. Values are known by numbers that do not keep them alive. Values with
 * different numbers are different; two objects can have the same number, so that more orders of calls seem possible than are, but no possible one is
 * excluded.
 */
final class KeyState {
    /** Nothing is known. */
    static final long ANY = 0;
    /** There is no value. */
    static final long ABSENT = 1;
    /** There is an unknown value. */
    static final long PRESENT = 2;
    /** For what a call left: what it found. */
    static final long SAME = 3;
    /** A value that is known by its identity; one that is compared by value; the low bits. */
    private static final int OBJECT = 4;
    private static final int VALUE = 5;
    private static final int BITS = 3;
    private static final int KIND = (1 << BITS) - 1;
    /** Together with the number of a value: that value is not there. */
    private static final long NOT = 1L << 62;
    private static final int TYPE = 32;

    private KeyState() {
    }

    /** Returns what was there, by what a call returned. */
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

    /** Returns a value that is equal to this one, but may be another object. */
    static long equalTo(long value) {
        return (value & KIND) == VALUE ? value : PRESENT;
    }

    /** Returns the absence of values equal to this one. */
    static long not(long value) {
        return (value & KIND) == VALUE ? value | NOT : ANY;
    }

    /** Whether what a call found can have been there when this was known. */
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

    /** Returns what is known after a call that found this and left that. */
    static long after(long state, long found, long left) {
        if (left != SAME) {
            return left;
        }
        boolean isVague = state == ANY || (found & NOT) == 0 && found != ANY && (state == PRESENT || (state & NOT) != 0);
        return isVague ? found : state;
    }
}
