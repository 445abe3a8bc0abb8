package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.hooks.Hooks;
import dev.regiontrack.runtime.protocol.Protocol;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.threads.ThreadState;

/**
 * A call that accesses its variable in one step: it runs while the variable is locked, like a field access. It calls nothing, so a thread has one at
 * a time.
 */
public final class Atomic extends PendingOperation {
    /** Read once, when all settings are known. */
    private static final boolean TAKES_ALL_READS = Session.takesAllReads();

    private Shadow variable;
    private int slot;

    /**
     * Locks the variable of the thread's next such call. Stores no stamp before the effect: an operation that starts in between would consider the
     * call over.
     */
    PendingOperation begin(Effect next, Shadow h, int at, ThreadState t) {
        Protocol.lockForUpdate(h, at, t);
        effect = next;
        variable = h;
        slot = at;
        return this;
    }

    @Override
    void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
        boolean isWrite = isSo && effect.kind == Effect.Kind.ATOMIC_WRITE;
        if (isWrite && t.round == ThreadState.TENTATIVE) {
            t.useReads();
        }
        // A compareAndSet that has failed has no effect: a weak one may fail without a reason.
        boolean isEvent = isSo || effect.kind != Effect.Kind.ATOMIC_WRITE || TAKES_ALL_READS;
        if (isEvent && t.held.isHeld()) {
            t.isUpdate = effect.isUpdate;
            Protocol.updated(variable, slot, t, isWrite ? site + 1 : site, isWrite);
            t.isUpdate = false;
        }
        Hooks.unlock(t);
    }
}
