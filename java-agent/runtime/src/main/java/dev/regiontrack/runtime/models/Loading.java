package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.memory.Memory;

/** The classes of this room that are loaded before hooks run. */
public final class Loading {
    private Loading() {
    }

    /** Loads and initialises them. */
    public static void load() {
        Memory.load(Access.class, Atomic.class, Bulk.class, CallEvent.class, Effect.class, Entries.class, Fields.class, Idle.class, IfTrue.class, Inherited.class, Iteration.class, KeyAccess.class, KeyCalls.class, KeyState.class, KeyStep.class, KeyText.class, LibraryArguments.class, LibraryKeys.class, LibraryViews.class, LiveNodes.class, Loads.class, Loads.Call.class, Loads.One.class, Loads.Each.class, Loads.Again.class, LoadsOfMany.class, Locks.class, Looking.class, Looks.class,
            ModelTable.class, Moves.class, Pair.class, Passing.class, PendingOperation.class, Removals.class, Removals.Call.class, OperationHooks.class, OperationHooks.Unrecorded.class, Queues.class, ModelledObject.class, ObjectTable.class, Target.class, ClassModel.class, LastStream.class,
            ThreadParts.class, ThreadParts.ThreadPart.class, ThreadParts.Looked.class, ThreadParts.ByThread.class);
    }
}
