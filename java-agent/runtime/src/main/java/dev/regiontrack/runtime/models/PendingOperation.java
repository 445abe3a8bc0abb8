package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.threads.ThreadState;

/** A call of the platform's library that has an effect, between the hook before it and the hook after it. */
abstract class PendingOperation {
    /** Changes only where an operation is reused. */
    Effect effect;
    /** Its site, for {@link OperationHooks#failed}. */
    int site;
    /** The call's result, if that is a boolean. */
    boolean answer;
    /** The map whose unknown keys the call may change, from its start to its end; null if it changes none. */
    ModelledObject changed;
    private int taken;

    /** Makes an operation that begins now. */
    PendingOperation(Effect effect, ThreadState t) {
        this.effect = effect;
        taken = taken(effect, t);
    }

    /** For a thread that has none yet. */
    PendingOperation() {
        taken = 0;
    }

    /**
     * Returns how many dependencies may have come after the effect of an operation: all except those by which a queue hands over elements that it
     * takes out.
     */
    private static int taken(Effect effect, ThreadState t) {
        return effect.part == Effect.Part.TAKEN ? t.taken - t.drained : t.taken;
    }

    /** Returns how many there were when the operation began. */
    final int taken() {
        return taken;
    }

    /** Makes all that has come since the start follow the effect: it came by another part of the same call. */
    final void follows(ThreadState t) {
        taken = taken(effect, t);
    }

    /** Returns the same operation, as one that begins now: its effect is still to come. Null if that is impossible. */
    PendingOperation again(ThreadState t) {
        return null;
    }

    /** Whether code called by the operation has brought a new dependency: the operation's effect may have come first. */
    final boolean followsMore(ThreadState t) {
        return taken(effect, t) != taken;
    }

    /** Before the end of a call that takes a lock: the critical section under it announces its first write. */
    void read() {
        // Other operations take no lock.
    }

    /** After a call that is no event, in place of {@link #end}. */
    void leave() {
        // Most kinds keep nothing.
    }

    /**
     * After the call: {@code isSo} if the result means that it had the effect, {@code isCounted} if it has changed the number of keys; {@code result}
     * is the result, if that is a reference.
     */
    abstract void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site);
}
