package dev.regiontrack.runtime.protocol;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.threads.Threads;

/** How a hook waits until another thread's hook has stored a word, which it is about to do. */
final class Spinning {
    /** How often a word is looked at before anything is called: about as long as a hook of another thread needs for a short access. */
    private static final int LOOKS = 16;
    /** From this turn on, the thread gives its processor away: the other thread may need it. */
    static final int SPINS = 1000;

    private Spinning() {
    }

    /**
     * Waits a moment. {@code turn}: how often this thread has looked at the word before. Other agents put calls of themselves into
     * {@link Thread#onSpinWait} and {@link Thread#yield}, BlockHound for example, and these would run program code in the middle of a hook. So the
     * bridge waits, except for a virtual thread.
     */
    static void pause(int turn) {
        if (turn >= SPINS && Threads.isVirtual(Thread.currentThread())) {
            unmount();
        } else {
            pauseMounted(turn);
        }
    }

    /** The same for a thread that has locked a variable: if it were unmounted, others could keep its carrier while they wait for that lock. */
    static void pauseMounted(int turn) {
        if (turn >= LOOKS) {
            Session.transport().pause(turn >= SPINS);
        }
    }

    /** The other thread may be a virtual one that waits for a carrier, so this one must give its own away. */
    private static void unmount() {
        Thread.yield();
    }
}
