package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.bridge.Unseen;
import dev.regiontrack.runtime.hooks.Hooks;
import dev.regiontrack.runtime.protocol.Protocol;
import dev.regiontrack.runtime.protocol.Stamp;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.threads.ThreadState;
import jdk.internal.vm.annotation.DontInline;

/**
 * A call that reads or writes a variable of its receiver at some time between its start and its end.
 *
 * <p>The call can run other code, or block, so no lock of ours is held meanwhile. If all its accesses would be redundant at its start, it is left out
 * ({@link OperationHooks}). Otherwise it notes the stamps of its variable at the start and takes the variable's lock at the end: if another thread's
 * conflicting operation has stamped the variable in between, the two overlapped. Unless their results tell that this one came after the other
 * ({@link KeyAccess}), their order is unknown; this one then leaves no event, and is counted. Without an overlap, all others had returned before it
 * began, and it is recorded like an access. What it called meanwhile is recorded before it; if that has brought a new dependency, the operation is
 * left out, too, because its own effect may have come first. An operation on several variables is recorded or left out for each of them; what is
 * recorded is one event ({@link CallEvent}). {@code analysis-core/src/protocol/operations.rs} is the specification.
 */
class Access extends PendingOperation {
    /** The same call's access to the thread's part of the number of keys, or null. */
    Access counted;
    private final ModelledObject receiver;
    private final Shadow variable;
    private final int slot;
    private final long w;
    private final long r;
    private final int readers;
    /** The variable's part, if it is one of the receiver's; otherwise null. */
    private ModelledObject.Part part;
    /** The same call's access to another variable, or null. */
    private Access next;
    /** In the first access of a call to the parts of all threads: the parts; otherwise null. */
    private ThreadParts parts;
    /** The parts that there were when the call began. */
    private ThreadParts.ThreadPart[] known;

    Access(Effect effect, ModelledObject receiver, Shadow variable, int slot, ThreadState t) {
        super(effect, t);
        this.receiver = receiver;
        this.variable = variable;
        this.slot = slot;
        boolean isWrite = effect.kind == Effect.Kind.WRITE;
        // The write first: if one comes in between, it is seen at the end. A call that turns out to be a read needs no more.
        w = Protocol.written(variable, slot);
        r = isWrite ? Protocol.read(variable, slot) : 0;
        readers = isWrite ? Protocol.changes(variable, slot) : 0;
    }

    /**
     * Makes an access to a part. Names the part before another thread can depend on the access; where all events are recorded, before
     * the first access.
     */
    static Access ofPart(Effect effect, ModelledObject receiver, ModelledObject.Part part, ThreadState t) {
        boolean isOfKey = receiver.tellsOrder && part instanceof ModelledObject.Key && ((ModelledObject.Key) part).hasValue();
        Access result = isOfKey ? KeyAccess.of(effect, receiver, (ModelledObject.Key) part, t) : new Access(effect, receiver, part.shadow, 0, t);
        result.part = part;
        name(receiver, part, result.w, result.r, t);
        return result;
    }

    /** Makes an access to the parts of all threads, including those that will have one. */
    static Access ofParts(Effect effect, ModelledObject receiver, ThreadState t) {
        Access first = null;
        ThreadParts parts = receiver.added();
        ThreadParts.ThreadPart[] all = parts.all(t);
        for (ModelledObject.Part part : all) {
            Access access = ofPart(effect, receiver, part, t);
            access.next = first;
            first = access;
        }
        first.parts = parts;
        first.known = all;
        return first;
    }

    @Override
    Access again(ThreadState t) {
        if (parts != null) {
            Access result = ofParts(effect, receiver, t);
            result.site = site;
            return result;
        }
        Access result = new Access(effect, receiver, variable, slot, t);
        result.site = site;
        result.part = part;
        if (part != null) {
            name(receiver, part, result.w, result.r, t);
        }
        result.next = next == null ? null : next.again(t);
        result.counted = counted == null ? null : counted.again(t);
        return result;
    }

    /** Names a part if another thread has stamped it. If one does so from now on, this operation overlaps it. */
    static void name(ModelledObject receiver, ModelledObject.Part part, long w, long r, ThreadState t) {
        if (!part.isNamed() && (!ThreadState.EPOCHS || isOthers(w, t) || isOthers(r, t))) {
            receiver.name(part, t);
        }
    }

    private static boolean isOthers(long stamp, ThreadState t) {
        return stamp != 0 && Stamp.thread(stamp) != t.number;
    }

    /** Whether the access would be redundant, even if all that it conflicts with comes after it. */
    static boolean isCovered(Effect effect, Shadow h, int slot, ThreadState t) {
        return (effect.kind == Effect.Kind.READ || effect.kind == Effect.Kind.UPDATE) && Protocol.cover(h, slot, t) != 0
            || effect.kind == Effect.Kind.WRITE && Protocol.coversWrite(h, slot, t);
    }

    /** Whether what the call found and left is kept, to tell the order of others. */
    boolean tells() {
        return false;
    }

    /** Whether the call comes after all that it has overlapped. Called while the variable is locked. */
    boolean isLast(boolean isWrite, ThreadState t) {
        return false;
    }

    /** Ends the call. Called while the variable is locked; {@code isRecorded} if the call has stamped the variable. */
    void ended(boolean isWrite, boolean isRecorded, ThreadState t) {
        // Most kinds keep nothing.
    }

    /** Names the part, on which another thread may depend from now on. */
    final void nameNow(ThreadState t) {
        if (!part.isNamed()) {
            receiver.name(part, t);
        }
    }

    /** Whether it is its call's only access, and would be redundant. */
    boolean isCovered(ThreadState t) {
        return next == null && counted == null && isCovered(effect, variable, slot, t);
    }

    @Override
    void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
        boolean followsMore = followsMore(t);
        boolean isWrite = isSo && effect.kind == Effect.Kind.WRITE;
        boolean counts = isCounted || effect.part == Effect.Part.LAST && counted != null;
        if (next == null && !counts && parts == null) {
            end(isWrite, followsMore, t, site);
            return;
        }
        t.call.begin(t);
        for (Access a = this; a != null; a = a.next) {
            a.end(isWrite, followsMore, t, site);
        }
        if (parts != null) {
            endOthers(isWrite, followsMore, t, site);
        }
        if (counts) {
            counted.endWrite(followsMore, t, site + 1);
        }
        t.call.merge(t);
        t.call.end(t);
    }

    /**
     * Ends the same access to parts that were made since the call began: those of threads that have changed something since, and the next spare ones.
     */
    private void endOthers(boolean isWrite, boolean followsMore, ThreadState t, int site) {
        int from = known.length;
        for (ThreadParts.ThreadPart[] all = parts.all(t); from < all.length; all = parts.all(t)) {
            for (; from < all.length; from++) {
                Access other = ofPart(effect, receiver, all[from], t);
                // A new part begins with what the last spare one had when the call began, unless a thread has written it since.
                if (isWrite || isForeign(other.w, w, t)) {
                    overlaps();
                } else {
                    other.endRead(followsMore, t, site);
                }
            }
        }
    }

    private void end(boolean isWrite, boolean followsMore, ThreadState t, int site) {
        if (isWrite) {
            endWrite(followsMore, t, site + 1);
        } else {
            endRead(followsMore, t, site);
        }
    }

    /** Makes an access to each of these keys; null if there are none. */
    static Access ofKeys(Effect effect, ModelledObject receiver, Object[] keys, ThreadState t) {
        Access first = null;
        for (Object key : keys) {
            Access access = ofPart(effect, receiver, receiver.of(key, t), t);
            access.next = first;
            first = access;
        }
        return first;
    }

    /** The same call's access to another variable, or null. */
    Access next() {
        return next;
    }

    @DontInline
    void endRead(boolean followsMore, ThreadState t, int site) {
        t.settle();
        boolean tells = tells();
        boolean canWrite = effect.kind != Effect.Kind.READ;
        if (!(tells && canWrite) && Protocol.cover(variable, slot, t) != 0) {
            t.call.add(variable, slot, t, site, false);
            return;
        }
        if (Protocol.tryLock(variable, slot, t)) {
            boolean isCovered = tells && canWrite && Protocol.cover(variable, slot, t) != 0;
            if (!isCovered && (followsMore || isForeign(Protocol.written(variable, slot), w, t) && !isLast(false, t))) {
                ended(false, false, t);
                overlapped(t);
                return;
            }
            long before = tells ? Protocol.read(variable, slot) : 0;
            int changes = tells ? Protocol.changes(variable, slot) : 0;
            if (!isCovered) {
                Protocol.readLocked(variable, slot, t, site);
            }
            if (tells) {
                ended(false, Protocol.read(variable, slot) != before || Protocol.changes(variable, slot) != changes, t);
            }
            t.call.add(variable, slot, t, site, false);
            Hooks.unlockRead(t);
        }
    }

    @DontInline
    void endWrite(boolean followsMore, ThreadState t, int site) {
        t.settle();
        if (part != null) {
            receiver.lasts(part, t);
        }
        Protocol.lockForUpdate(variable, slot, t);
        if (!t.held.isHeld()) {
            return;
        }
        boolean isOverlapped = isForeign(Protocol.written(variable, slot), w, t) || isForeign(Protocol.read(variable, slot), r, t)
            || Protocol.changes(variable, slot) != readers;
        if (followsMore || isOverlapped && !isLast(true, t)) {
            ended(true, false, t);
            overlapped(t);
            return;
        }
        long written = t.held.word;
        long read = Protocol.read(variable, slot);
        t.isUpdate = effect.isUpdate;
        Protocol.updated(variable, slot, t, site, true);
        t.isUpdate = false;
        ended(true, t.held.word != written || Protocol.read(variable, slot) != read, t);
        t.call.add(variable, slot, t, site, true);
        if (part != null) {
            receiver.writes(part);
        }
        Hooks.unlock(t);
    }

    /** Whether another thread has changed a stamp since then. */
    private static boolean isForeign(long now, long then, ThreadState t) {
        return now != then && Stamp.thread(now) != t.number;
    }

    /** Drops the access whose variable the thread has locked: it leaves no event. */
    static void overlapped(ThreadState t) {
        t.held.release();
        overlaps();
    }

    /** Counts an access that leaves no event. */
    static void overlaps() {
        Session.unseen(Unseen.OVERLAPPED);
    }
}
