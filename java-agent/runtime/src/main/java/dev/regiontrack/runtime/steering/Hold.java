package dev.regiontrack.runtime.steering;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The hold of a thread: it sleeps for a millisecond at most, again and again, until another thread has come or waiting has become futile.
 *
 * <p>It is never woken, because that would leave it a permit that the program has not given, and its sleeps take none ({@link Pause}). An
 * interruption stays pending, and ends the hold.
 */
public abstract class Hold {
    /** The length of a sleep, in nanoseconds: at first, and later. */
    private static final long SHORT_SLEEP = 200_000;
    private static final long LONG_SLEEP = 1_000_000;
    private static final int SHORT_SLEEPS = 50;
    /** The number of successive looks that must find that no other thread can come: one that was just woken may not run yet. */
    static final int LOOKS = 10;

    private static final Hold[] NONE = new Hold[0];
    /** The current holds. Replaced as a whole. */
    private static final AtomicReference<Hold[]> HOLDS = new AtomicReference<>(NONE);
    public final Thread thread = Thread.currentThread();
    private boolean wasInterrupted;

    /** Whether what the thread waits for has come. */
    public abstract boolean isMet();

    /** Whether the reason for the hold is gone. */
    protected boolean isOver() {
        return false;
    }

    /** Returns after how many successive looks that see no thread that can come the hold ends. */
    protected int mostLooks() {
        return LOOKS;
    }

    /** Holds the current thread for at most {@code nanos}. Returns whether what it waits for has come. Locks of the runtime must not be held. */
    public final boolean await(long nanos) {
        long start = System.nanoTime();
        add();
        try {
            int looks = 0;
            for (int sleeps = 0; !isMet() && !isOver() && !Ending.hasBegun() && !wasInterrupted; sleeps++) {
                long left = nanos - (System.nanoTime() - start);
                looks = Others.canCome() ? 0 : looks + 1;
                if (left <= 0 || looks == mostLooks()) {
                    break;
                }
                wasInterrupted = !Pause.sleep(Math.min(left, sleeps < SHORT_SLEEPS ? SHORT_SLEEP : LONG_SLEEP));
            }
        } finally {
            remove();
        }
        return isMet();
    }

    /** Whether an interruption has ended the hold. Only its own thread asks. */
    public final boolean wasInterrupted() {
        return wasInterrupted;
    }

    /** Whether a thread is held and remains so: one for which another thread has come goes on as soon as it runs again. */
    static boolean isHeld(Thread thread) {
        for (Hold hold : HOLDS.get()) {
            if (hold.thread == thread && !hold.isMet()) {
                return true;
            }
        }
        return false;
    }

    private void add() {
        Hold[] all;
        Hold[] more;
        do {
            all = HOLDS.get();
            more = Arrays.copyOf(all, all.length + 1);
            more[all.length] = this;
        } while (!HOLDS.compareAndSet(all, more));
    }

    private void remove() {
        Hold[] all;
        Hold[] less;
        do {
            all = HOLDS.get();
            less = new Hold[all.length - 1];
            int n = 0;
            for (Hold hold : all) {
                if (hold != this) {
                    less[n++] = hold;
                }
            }
        } while (!HOLDS.compareAndSet(all, less));
    }
}
