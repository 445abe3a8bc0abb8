package dev.regiontrack.runtime.hooks;

import dev.regiontrack.runtime.sites.ClassInfo;
import dev.regiontrack.runtime.sites.Site;
import dev.regiontrack.runtime.threads.ThreadState;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Decides calls in the copies of methods' code that run first ({@code instrument.classes.Rehearsals}), of methods that may do nothing but read and
 * compute, like {@code isDone()} in {@code while (!task.isDone())}: does the method that is reached do nothing else? If so, it is called with its
 * hooks, but its reads are no events. Otherwise the copy is left, and the original makes the call.
 */
public final class Asking {
    private static final End END = new End();

    /** Thrown to end a question. */
    private static final class End extends Error {
        private static final long serialVersionUID = 1;

        End() {
            super(null, null, false, false);
        }
    }

    private Asking() {
    }

    /** Before a call of a method that the receiver selects and that can read. If the answer is true, {@link ThreadState#asking} is set. */
    @ForceInline
    public static boolean reads(Object receiver, ThreadState t, int site) {
        return receiver != null && asks(Site.of(site), Site.of(site).callee(receiver.getClass()) != ClassInfo.LEAVES, t);
    }

    /** The same for a method that must not read what can change. */
    @ForceInline
    public static boolean computes(Object receiver, ThreadState t, int site) {
        return receiver != null && asks(Site.of(site), Site.of(site).callee(receiver.getClass()) == ClassInfo.IGNORES, t);
    }

    /** Before a call of a static method that can read. */
    @ForceInline
    public static boolean reads(ThreadState t, int site) {
        Site s = Site.of(site);
        return asks(s, s.callee() != ClassInfo.LEAVES && s.isInitialized(), t);
    }

    /** The same for a static method that must not read what can change. */
    @ForceInline
    public static boolean computes(ThreadState t, int site) {
        Site s = Site.of(site);
        return asks(s, s.callee() == ClassInfo.IGNORES && s.isInitialized(), t);
    }

    /**
     * True if a constructor, a static method, or a method of a class without subclasses does nothing but allocate, read and compute. It is not
     * called.
     */
    @ForceInline
    public static boolean isPure(int site) {
        return Site.of(site).callee() != ClassInfo.LEAVES;
    }

    private static boolean asks(Site s, boolean isPure, ThreadState t) {
        // Questions do not nest: the end of an inner one would be taken for the outer one's.
        if (t.asking != 0 || !s.asks(isPure)) {
            return false;
        }
        t.asking = s.number();
        return true;
    }

    /**
     * In a method that can be asked, before a call of a method that the receiver selects: a question ends here if the method reached may have an
     * effect, and an open round is settled. Without a receiver the call itself throws.
     */
    @ForceInline
    public static void goesOn(Object receiver, ThreadState t, int site) {
        if (t.asking != 0 && receiver != null && !Site.of(site).asks(Site.of(site).callee(receiver.getClass()) != ClassInfo.LEAVES)) {
            end(t);
        }
        if (t.asking == 0) {
            Rounds.call(receiver, t, site);
        }
    }

    /** The same for a static method. */
    @ForceInline
    public static void goesOn(ThreadState t, int site) {
        if (t.asking != 0 && !Site.of(site).asks(Site.of(site).callee() != ClassInfo.LEAVES && Site.of(site).isInitialized())) {
            end(t);
        }
        if (t.asking == 0) {
            Rounds.call(t, site);
        }
    }

    /**
     * In a method that can be asked, before a read of another class's static field: a question ends here if the read would run the class's
     * initializer.
     */
    @ForceInline
    public static void needs(ThreadState t, int site) {
        if (t.asking != 0 && !Site.of(site).asks(Site.of(site).needsNoInitializer())) {
            end(t);
        }
    }

    /** In a method that can be asked, before a possible effect on a path that throws: a question ends here, and an open round is settled. */
    @ForceInline
    public static void ends(ThreadState t) {
        if (t.asking != 0) {
            end(t);
        }
        Rounds.used(t);
    }

    /** The copy that asks catches the throwable. After many such ends, nothing is asked there any more. */
    private static void end(ThreadState t) {
        Site.of(t.asking).asks(false);
        throw END;
    }

    /** True if the callee at this site had an effect so often that nothing is asked there any more. */
    @ForceInline
    public static boolean isInVain(int site) {
        return Site.of(site).isAskedInVain();
    }
}
