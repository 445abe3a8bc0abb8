package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.threads.ThreadState;

/** A call of the platform's library that has an effect, between the hook before it and the hook after it. */
abstract class PendingOperation {
    /** Changes only where an operation is used again. */
    Effect effect;
    /** Where it is, for {@link OperationHooks#failed}. */
    int site;
    /** What the call returned, if that is a boolean. */
    boolean answer;
    /** The map of which it may change keys that are not known, from its start to its end; null if it changes none. */
    ModelledObject changed;
    private int taken;

    /** One that begins now. */
    PendingOperation(Effect effect, ThreadState t) {
        this.effect = effect;
        taken = taken(effect, t);
    }

    /** Of a thread that has none yet. */
    PendingOperation() {
        taken = 0;
    }

    /** How many dependencies may have come after the effect of an operation: not those by which a queue hands elements over that it takes out. */
    private static int taken(Effect effect, ThreadState t) {
        return effect.part == Effect.Part.TAKEN ? t.taken - t.drained : t.taken;
    }

    /** How many there were when it began. */
    final int taken() {
        return taken;
    }

    /** All that has come since it began came after its effect: by another part of the same call. */
    final void follows(ThreadState t) {
        taken = taken(effect, t);
    }

    /** The same operation, as one that begins now: its effect is still to come. Null if it cannot. */
    PendingOperation again(ThreadState t) {
        return null;
    }

    /** True if what it has called has brought a new one: its effect may have come first. */
    final boolean followsMore(ThreadState t) {
        return taken(effect, t) != taken;
    }

    /** Before the end of a call that takes a lock: the section under it tells when it is about to write. */
    void read() {
        // Others take none.
    }

    /** After a call that is no event, in place of {@link #end}. */
    void leave() {
        // Most keep nothing.
    }

    /** After the call: whether the result means that it had the effect, and that it has changed the number of keys; the result, if that is a reference. */
    abstract void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site);
}
