package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.memory.Memory;
import jdk.internal.misc.Unsafe;

/**
 * The last calls of one key of a concurrent map, from the time on when a second thread uses it: what they found there and what they left. That tells
 * the order of overlapping calls, if only one order is possible: a {@code remove} that found nothing comes after the one that has removed the value.
 *
 * <p>Only the call that ends last can be ordered, after the others, because those have been recorded. It can if it comes after those that conflict
 * with it in each possible order: one that all results allow, and in which a call that returned before another began precedes it. All calls that may
 * have changed the key meanwhile must have returned, so each that can write is counted from its start on, and none is left out as redundant.
 * {@code analysis-core/src/protocol/results.rs} is the specification.
 */
final class KeyCalls {
    /** The most overlapping calls that are considered, including the one that ends last: there are up to 720 orders of six. */
    static final int MOST = 6;
    private static final int KEPT = 8;
    private static final int WORDS = 4;
    private static final int LEFT = 1;
    private static final int BEFORE = 2;
    private static final int FLAGS = 3;
    private static final int INT = 32;
    private static final int WRITE = 1;
    private static final int RECORDED = 2;
    private static final int BITS = 2;
    private static final Unsafe U = Memory.U;
    private static final long WRITING = U.objectFieldOffset(KeyCalls.class, "writing");

    /**
     * By the number of the call, modulo {@link #KEPT}: what it found; what it left; how many calls had ended, and how many changes of the whole map
     * had begun, before it; its thread and flags.
     */
    private final long[] ended = new long[KEPT * WORDS];
    /** The number of calls that have ended. Changes while the key's variable is locked. */
    private volatile int count;
    /** The number of calls that can write and have begun, but not ended. One that throws an exception counts forever. */
    private volatile int writing;
    /** The thread that used the key alone before; its call is not counted if it had already begun then. 0 when that is over. */
    private volatile int alone;
    /** A call is missing here, so nothing is certain any more. */
    volatile boolean isIncomplete;

    KeyCalls(int alone) {
        this.alone = alone;
    }

    /** Before a call; returns how many calls had ended. */
    int begin(boolean canWrite, int thread) {
        if (alone == thread) {
            alone = 0;
        }
        if (canWrite) {
            U.getAndAddInt(this, WRITING, 1);
        }
        return count;
    }

    private static int at(int number) {
        return (number & KEPT - 1) * WORDS;
    }

    private int from(int number) {
        return (int) (ended[at(number) + BEFORE] >>> INT);
    }

    private int changes(int number) {
        return (int) ended[at(number) + BEFORE];
    }

    private boolean is(int number, int flag) {
        return (ended[at(number) + FLAGS] & flag) != 0;
    }

    /** Whether no call of another thread that can write has begun and not ended: then what a read found tells the order of no other call. */
    boolean isQuiet(int thread) {
        return writing == 0 && (alone == 0 || alone == thread);
    }

    /** Enters a call after it, while the variable is locked. {@code isRecorded} if it has left a stamp. */
    void end(int from, int changes, boolean canWrite, boolean isWrite, boolean isRecorded, long found, long left, int thread) {
        int at = at(count);
        ended[at] = found;
        ended[at + LEFT] = left;
        ended[at + BEFORE] = (long) from << INT | changes & 0xffffffffL;
        ended[at + FLAGS] = (long) thread << BITS | (isWrite ? WRITE : 0) | (isRecorded ? RECORDED : 0);
        count++;
        if (canWrite) {
            U.getAndAddInt(this, WRITING, -1);
        }
        if (alone == thread) {
            alone = 0;
        }
    }

    /** Enters a read of which nothing is known except that it is recorded. */
    void read(int thread) {
        try {
            end(0, 0, false, false, true, KeyState.ANY, KeyState.SAME, thread);
        } catch (StackOverflowError e) {
            isIncomplete = true;
        }
    }

    /**
     * Whether a call that is about to end comes after all recorded ones of other threads that conflict with it. Called while the variable is locked.
     */
    boolean isLast(int from, int changes, boolean canWrite, boolean isWrite, long found, long left, int thread) {
        if (writing != (canWrite ? 1 : 0) || alone != 0 && alone != thread || isIncomplete) {
            return false;
        }
        int n = count;
        int first = from;
        for (int i = n - 1; i >= first; i--) {
            if (n - i >= MOST || changes(i) != changes) {
                return false;
            }
            first = Math.min(first, from(i));
        }
        return n - first < MOST && new Orders(first, n, from, isWrite, found, left, thread).isLast();
    }

    /** The possible orders of the calls from one number on, and of one more that is about to end. */
    private final class Orders {
        private final int first;
        private final int size;
        private final int from;
        private final boolean isWrite;
        private final long foundByLast;
        private final long leftByLast;
        private final int thread;
        private boolean areAny;
        private boolean canBeEarlier;

        Orders(int first, int end, int from, boolean isWrite, long found, long left, int thread) {
            this.first = first;
            size = end - first;
            this.from = from;
            this.isWrite = isWrite;
            foundByLast = found;
            leftByLast = left;
            this.thread = thread;
        }

        boolean isLast() {
            extend(0, KeyState.ANY, false);
            return areAny && !canBeEarlier;
        }

        /** Appends each call that can be the next one to those in {@code done}. */
        private void extend(int done, long state, boolean isEarlier) {
            if (canBeEarlier) {
                return;
            }
            if (done == (2 << size) - 1) {
                areAny = true;
                canBeEarlier = isEarlier;
                return;
            }
            for (int i = 0; i <= size; i++) {
                if ((done >> i & 1) == 0 && follows(i, done)) {
                    long what = i == size ? foundByLast : ended[at(first + i)];
                    if (KeyState.canBe(state, what)) {
                        boolean isAfterLast = i < size && (done >> size & 1) != 0 && isBeforeLast(first + i);
                        extend(done | 1 << i, KeyState.after(state, what, i == size ? leftByLast : ended[at(first + i) + LEFT]), isEarlier || isAfterLast);
                    }
                }
            }
        }

        /** Whether the last call is recorded only if it comes after this one. */
        private boolean isBeforeLast(int number) {
            return is(number, RECORDED) && ended[at(number) + FLAGS] >>> BITS != thread && (isWrite || is(number, WRITE));
        }

        /** Whether all calls that had ended when a call began are done. */
        private boolean follows(int i, int done) {
            int began = i == size ? from : from(first + i);
            for (int j = 0; j < size; j++) {
                if (j != i && (done >> j & 1) == 0 && first + j < began) {
                    return false;
                }
            }
            return true;
        }
    }
}
