package dev.regiontrack.runtime.hooks;

import dev.regiontrack.runtime.sites.ClassInfo;
import dev.regiontrack.runtime.sites.Site;
import dev.regiontrack.runtime.threads.ThreadState;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Calls in the copies of methods' code that run first ({@code instrument.classes.Rehearsals}), of methods that may do nothing but read and compute, as {@code isDone()}
 * in {@code while (!task.isDone())}: whether the one that is reached does nothing else. Then it is called with its hooks, but what it reads is no event. Otherwise the
 * copy is left, and its original makes the call.
 */
public final class Asking {
    private static final End END = new End();

    /** Ends a question. */
    private static final class End extends Error {
        private static final long serialVersionUID = 1;

        End() {
            super(null, null, false, false);
        }
    }

    private Asking() {
    }

    /** Before a call of a method that is selected by the receiver, and can read. Where it is true, {@link ThreadState#asking} is set. */
    @ForceInline
    public static boolean reads(Object receiver, ThreadState t, int site) {
        return receiver != null && asks(Site.of(site), Site.of(site).callee(receiver.getClass()) != ClassInfo.LEAVES, t);
    }

    /** The same of one that must not read what can change. */
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

    /** The same of one that must not read what can change. */
    @ForceInline
    public static boolean computes(ThreadState t, int site) {
        Site s = Site.of(site);
        return asks(s, s.callee() == ClassInfo.IGNORES && s.isInitialized(), t);
    }

    /** True if a constructor, a static method, or one of a class that nobody extends does nothing but make, read and compute. It is not called. */
    @ForceInline
    public static boolean isPure(int site) {
        return Site.of(site).callee() != ClassInfo.LEAVES;
    }

    private static boolean asks(Site s, boolean isPure, ThreadState t) {
        // Within a question nobody asks another one, whose end would be taken for its own.
        if (t.asking != 0 || !s.asks(isPure)) {
            return false;
        }
        t.asking = s.number();
        return true;
    }

    /**
     * In a method that can be asked, before a call of one that is selected by the receiver: a question that would come to one that may have an effect ends here. Without a receiver
     * the call itself throws.
     */
    @ForceInline
    public static void goesOn(Object receiver, ThreadState t, int site) {
        if (t.asking != 0 && receiver != null && !Site.of(site).asks(Site.of(site).callee(receiver.getClass()) != ClassInfo.LEAVES)) {
            end(t);
        }
    }

    /** The same of a static method. */
    @ForceInline
    public static void goesOn(ThreadState t, int site) {
        if (t.asking != 0 && !Site.of(site).asks(Site.of(site).callee() != ClassInfo.LEAVES && Site.of(site).isInitialized())) {
            end(t);
        }
    }

    /** In a method that can be asked, before a static field of another class is read: a question that would run the class's initializer ends here. */
    @ForceInline
    public static void needs(ThreadState t, int site) {
        if (t.asking != 0 && !Site.of(site).asks(Site.of(site).needsNoInitializer())) {
            end(t);
        }
    }

    /** In a method that can be asked, before what may have an effect on a way on which it throws: a question ends here. */
    @ForceInline
    public static void ends(ThreadState t) {
        if (t.asking != 0) {
            end(t);
        }
    }

    /** The copy that asks catches what the method throws, and after many such ends nobody asks there any more. */
    private static void end(ThreadState t) {
        Site.of(t.asking).asks(false);
        throw END;
    }

    /** True if what this site calls had an effect so often that nobody asks any more. */
    @ForceInline
    public static boolean isInVain(int site) {
        return Site.of(site).isAskedInVain();
    }
}
