package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.hooks.Hooks;
import dev.regiontrack.runtime.protocol.Monitor;
import dev.regiontrack.runtime.protocol.Protocol;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.threads.ThreadState;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import jdk.internal.vm.annotation.DontInline;

/**
 * A call of a lock: the lock has been taken when the call returns, or is released before the call begins. So the order is certain while the thread
 * holds it. A lock that one thread holds is like a monitor; one that holders share is a variable that they read, and that an exclusive holder writes.
 */
final class Locks extends PendingOperation {
    private final ModelledObject lock;
    /** Whether the critical section under it announces its first write. */
    private boolean reads;

    private Locks(Effect effect, ModelledObject lock, ThreadState t, int site) {
        super(effect, t);
        this.lock = lock;
        this.site = site;
    }

    /** Before a call of the lock {@code o}; {@code stamp} is its first argument, if that is a number. */
    @DontInline
    static PendingOperation begin(Effect effect, ModelledObject lock, Object o, long stamp, ThreadState t, int site) {
        Shadow h = lock.whole;
        switch (effect.kind) {
            case RELEASE:
                Monitor.exit(h, lock.type, t, site + 2);
                break;
            case UNSHARE:
                read(h, t, site);
                break;
            case INCLUDE:
                if (isHeld(o)) {
                    lock.disown(t);
                    write(h, t, site + 1);
                }
                break;
            case UNLOCK: case DOWNGRADE:
                unlock(effect, o, stamp, h, t, site);
                break;
            case AWAIT:
                await(lock, t, site);
                break;
            default:
        }
        return new Locks(effect, lock, t, site);
    }

    @Override
    void read() {
        reads = true;
    }

    /** Releases the lock until the condition is met. */
    private static void await(ModelledObject lock, ThreadState t, int site) {
        if (!lock.isOfReaders) {
            t.wait.begin(lock.whole, lock.type, t, site + 2);
        } else if (lock.isOwnedBy(t)) {
            t.wait.beginAlone(lock.whole, t, site + 2);
        }
    }

    @Override
    void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
        switch (effect.kind) {
            case ACQUIRE:
                t.settle();
                if (isSo) {
                    Monitor.enter(lock.whole, lock.type, t, site + 2, reads);
                }
                break;
            case SHARE: case DOWNGRADE:
                t.settle();
                if (isSo) {
                    read(lock.whole, t, site);
                }
                break;
            case EXCLUDE:
                t.settle();
                if (isSo) {
                    t.isUpdate = effect.isUpdate;
                    write(lock.whole, t, site + 1);
                    t.isUpdate = false;
                    if (lock.isOfReaders) {
                        lock.own(t);
                    }
                }
                break;
            case AWAIT:
                t.wait.end(t);
                t.settle();
                break;
            default:
        }
    }

    /** Whether the thread may hold the lock; if not, the call will fail. */
    private static boolean isHeld(Object o) {
        return o.getClass() != ReentrantReadWriteLock.WriteLock.class || ((ReentrantReadWriteLock.WriteLock) o).isHeldByCurrentThread();
    }

    /** Before a call that releases the hold that a stamp names, if it names one. */
    private static void unlock(Effect effect, Object o, long stamp, Shadow h, ThreadState t, int site) {
        if (o.getClass() == StampedLock.class && ((StampedLock) o).validate(stamp)) {
            if (StampedLock.isWriteLockStamp(stamp)) {
                write(h, t, site + 1);
            } else if (effect.kind == Effect.Kind.UNLOCK && StampedLock.isReadLockStamp(stamp) && ((StampedLock) o).isReadLocked()) {
                read(h, t, site);
            }
        }
    }

    /** Records a read whose order is certain: others that conflict with it wait for the lock that the thread holds. */
    private static void read(Shadow h, ThreadState t, int site) {
        t.holder.hasOtherLocks = true;
        Protocol.lockToRead(h, 0, t, site);
        Hooks.unlockRead(t);
    }

    private static void write(Shadow h, ThreadState t, int site) {
        t.holder.hasOtherLocks = true;
        Protocol.lockForWrite(h, 0, t, site);
        Hooks.unlock(t);
    }
}
