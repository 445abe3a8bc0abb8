package dev.regiontrack.runtime.hooks;

import dev.regiontrack.runtime.sites.ClassInfo;
import dev.regiontrack.runtime.sites.Site;
import dev.regiontrack.runtime.threads.ThreadState;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Hooks of rounds ({@code instrument.classes.RoundHooks}): a round of a loop reads, and tries a {@code compareAndSet}. While it is open, it is
 * undecided whether its reads are events: they are if the {@code compareAndSet} succeeds, or if anything else follows from them; they are not if the
 * round leads back to its start. A thread has at most one open round, because what a round calls only reads.
 */
public final class Rounds {
    private Rounds() {
    }

    /** A round is about to start: the reads that follow are tentative. If one is still open, what it has read was used. */
    @ForceInline
    public static void begin(ThreadState t) {
        try {
            t.beginRound();
        } catch (OutOfMemoryError | StackOverflowError e) {
            // Without a round, the reads are events.
        }
    }

    /** The round leads back to its start: withdraws it if it is open, so that its reads were no events. */
    @ForceInline
    public static void again(ThreadState t) {
        if (t.round == ThreadState.TENTATIVE) {
            try {
                t.withdrawReads();
            } catch (OutOfMemoryError | StackOverflowError e) {
                t.lostEvents++;
            }
        }
    }

    /** What was read has consequences: settles the round if it is open, so that its reads are events. */
    @ForceInline
    public static void used(ThreadState t) {
        if (t.round == ThreadState.TENTATIVE) {
            try {
                t.useRound();
            } catch (OutOfMemoryError | StackOverflowError e) {
                t.lostEvents++;
            }
        }
    }

    /**
     * Before a call of a method that the receiver selects: if a round is open, and the method that is reached may do more than read and try a
     * {@code compareAndSet}, or there is no receiver, what was read was used.
     */
    @ForceInline
    public static void call(Object receiver, ThreadState t, int site) {
        if (t.round == ThreadState.TENTATIVE && (receiver == null || hasEffect(Site.of(site), receiver.getClass()))) {
            used(t);
        }
    }

    /** The same for a static method, whose class may also have to be initialized. */
    @ForceInline
    public static void call(ThreadState t, int site) {
        if (t.round == ThreadState.TENTATIVE && hasEffect(Site.of(site))) {
            used(t);
        }
    }

    private static boolean hasEffect(Site s, Class<?> receiver) {
        return s.callee(receiver) == ClassInfo.LEAVES && !s.tries(receiver);
    }

    private static boolean hasEffect(Site s) {
        return s.callee() == ClassInfo.LEAVES && !s.tries() || !s.isInitialized();
    }
}
