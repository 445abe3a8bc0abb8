package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.threads.ThreadState;

/**
 * A call that reads or writes a key for which it is known what calls found and left there, so that its order can be deduced if it overlaps others
 * ({@link KeyCalls}).
 */
final class KeyAccess extends Access {
    private final ModelledObject map;
    private final ModelledObject.Key key;
    /** The calls of the key; null if only this thread had used the key when the call began. */
    private final KeyCalls calls;
    private final int owner;
    private final int from;
    private final int changes;
    private final boolean canWrite;
    private KeyStep step = KeyStep.UNKNOWN;
    /** The call's second argument, and its last one. */
    private long given = KeyState.ANY;
    private long last = KeyState.ANY;
    /** The call's result, if that is a reference, while the call ends. */
    private Object result;

    private KeyAccess(Effect effect, ModelledObject map, ModelledObject.Key key, KeyCalls calls, int from, boolean canWrite, ThreadState t) {
        super(effect, map, key.shadow, 0, t);
        this.map = map;
        this.key = key;
        this.calls = calls;
        this.from = from;
        owner = t.number;
        this.canWrite = canWrite;
        changes = map.changes();
    }

    /** Makes an access that begins now. */
    static KeyAccess of(Effect effect, ModelledObject map, ModelledObject.Key key, ThreadState t) {
        KeyCalls calls = key.calls(t);
        boolean canWrite = effect.kind != Effect.Kind.READ;
        return new KeyAccess(effect, map, key, calls, calls == null ? 0 : calls.begin(canWrite, t.number), canWrite, t);
    }

    /** Sets the method of the call. */
    void is(int method) {
        step = ModelTable.step(method);
    }

    /** Before the call: its second argument, and the third one, or null. */
    void with(Object second, Object third) {
        if (key.calls() != null) {
            given = KeyState.of(second);
            last = third == null ? given : KeyState.of(third);
        } else {
            last = KeyState.PRESENT;
        }
    }

    @Override
    void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
        if (key.calls() != null) {
            nameNow(t);
        }
        this.result = result;
        super.end(isSo, isCounted, result, t, site);
        this.result = null;
    }

    private long found() {
        return step.found(result, answer, given);
    }

    private long left() {
        return step.left(result, answer, last);
    }

    @Override
    boolean tells() {
        KeyCalls now = key.calls();
        return now != null && (canWrite || !now.isQuiet(owner));
    }

    @Override
    boolean isLast(boolean isWrite, ThreadState t) {
        try {
            KeyCalls now = key.calls();
            return now != null && map.isUnchanged(changes) && now.isLast(from, changes, isCounted(), isWrite, found(), left(), t.number);
        } catch (OutOfMemoryError | StackOverflowError e) {
            // The variable is locked.
            return false;
        }
    }

    /** Whether it is counted among the calls that can write and have not ended. */
    private boolean isCounted() {
        return calls != null && canWrite;
    }

    @Override
    void ended(boolean isWrite, boolean isRecorded, ThreadState t) {
        KeyCalls now = key.calls();
        if (now != null && (canWrite || !now.isQuiet(owner))) {
            try {
                now.end(from, changes, isCounted(), isWrite, isRecorded, found(), left(), t.number);
            } catch (StackOverflowError e) {
                now.isIncomplete = true;
            }
        }
    }
}
