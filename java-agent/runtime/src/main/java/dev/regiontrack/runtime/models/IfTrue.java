package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.threads.ThreadState;

/** A call that has certainly acted on its argument only if it returned true. */
final class IfTrue extends PendingOperation {
    private final PendingOperation operation;

    IfTrue(PendingOperation operation, ThreadState t) {
        super(Effect.ANSWER, t);
        this.operation = operation;
        site = operation.site;
    }

    @Override
    void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
        if (isSo) {
            operation.end(operation.effect.isSo(true), operation.effect.isCounted(true), result, t, site);
        }
    }
}
