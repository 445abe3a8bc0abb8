package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.threads.ThreadState;
import jdk.internal.vm.annotation.DontInline;

/** A call that does nothing with its receiver if its argument is empty ({@link Idle}). Only its return tells whether it has had an effect. */
final class Looking extends PendingOperation {
    private final PendingOperation operation;
    private final Idle idle;
    private final Object elements;
    private final boolean wasFilled;

    private Looking(PendingOperation operation, Idle idle, Object elements, ThreadState t) {
        // The condition is the call's result, whatever it means for the operation.
        super(operation.effect.when == Effect.When.ALWAYS ? Effect.ANSWER : operation.effect, t);
        this.operation = operation;
        this.idle = idle;
        this.elements = elements;
        site = operation.site;
        wasFilled = Idle.isFilled(elements, t);
    }

    /** Makes the operation of a call with this argument, which is null if nothing would be recorded. */
    @DontInline
    static PendingOperation of(PendingOperation operation, Idle idle, Object of, Object argument, ThreadState t) {
        return operation != null && idle.needsElements(of, argument) ? new Looking(operation, idle, idle.elements(argument), t) : operation;
    }

    /** Returns the operation if the call has an effect. */
    PendingOperation operation() {
        return operation;
    }

    @Override
    void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
        if (idle.isCertain(isSo) || idle.canBe(isSo) && wasFilled && Idle.isFilled(elements, t)) {
            operation.end(operation.effect.when == Effect.When.ALWAYS || isSo, isCounted, result, t, site);
        } else {
            operation.leave();
        }
    }
}
