package dev.regiontrack.runtime.hooks;

import dev.regiontrack.runtime.bodies.Sampling;
import dev.regiontrack.runtime.memory.Refs;
import dev.regiontrack.runtime.protocol.Monitor;
import dev.regiontrack.runtime.protocol.Probe;
import dev.regiontrack.runtime.protocol.Protocol;
import dev.regiontrack.runtime.protocol.Variables;
import dev.regiontrack.runtime.shadows.Arrays;
import dev.regiontrack.runtime.shadows.Layout;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.sites.ClassInfo;
import dev.regiontrack.runtime.sites.Site;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The hooks that instrumented code calls. Those that return or check a value have a class for each type of value: {@link IntChecks},
 * {@link ReferenceChecks}, {@link LongReads}, {@link FloatReads}, {@link DoubleReads}.
 *
 * <p>A write is the program's own instruction, between {@code lock...} and {@link #unlock}; nothing is locked if that instruction will throw. A
 * read comes before its hooks, which lock the variable only if the first check fails. A read is bracketed like a write only if the JVM's messages
 * about null pointers can mention its value (no {@code long}, {@code float} or {@code double}): where a jump needs a frame that is unknown and,
 * for an element, also in a method that would otherwise become too large to be compiled.
 */
public final class Hooks {
    /** Stands for the number of enclosing blocks if the block was not begun. */
    private static final int NOT_BEGUN = -1;

    private Hooks() {
    }

    // ---- the first check of a read, after the value was loaded: true if nothing has to be recorded. With a probe, none is
    // skipped

    /** After a read of a field. */
    public static boolean covers(Object o, ThreadState t, int site) {
        return !Probe.ON && Variables.isCovered(o, t, Site.of(site));
    }

    /** After a read of a field of an object that the method made and that has not left it. */
    @ForceInline
    public static boolean coversOwn(Object o, ThreadState t, int site) {
        return Site.of(site).isOwn(t) || covers(o, t, site);
    }

    /** After a read of a static field. */
    public static boolean coversStatic(ThreadState t, int site) {
        return !Probe.ON && Variables.isCovered(t, Site.of(site));
    }

    /** After a read of an element. */
    public static boolean coversElement(Object array, int index, ThreadState t, int site) {
        return array == t.lent || !Probe.ON && Variables.isCovered(array, index, t);
    }

    // ---- bracketed accesses

    /** Before a read of a field. */
    public static void lockRead(Object o, ThreadState t, int site) {
        if (o != null) {
            Site s = Site.of(site);
            Shadow h = Variables.of(o, t, s);
            if (h != null) {
                Protocol.lockToRead(h, s.slot, t, site);
            }
        }
    }

    /** Before a read of a field of an object that the method made and that has not left it. */
    @ForceInline
    public static void lockReadOwn(Object o, ThreadState t, int site) {
        if (!Site.of(site).isOwn(t)) {
            lockRead(o, t, site);
        }
    }

    /** Before a read of a static field. */
    public static void lockReadStatic(ThreadState t, int site) {
        Site s = Site.of(site);
        s.initialize();
        Shadow h = Variables.of(null, t, s);
        if (h != null) {
            Protocol.lockToRead(h, s.slot, t, site);
        }
    }

    /** Before a read of an element. */
    public static void lockArrayRead(Object array, int index, ThreadState t, int site) {
        Shadow h = Variables.of(array, index, t);
        if (h != null) {
            Protocol.lockToRead(h, index, t, site);
        }
    }

    /** Before a write of a field. */
    public static void lockWrite(Object o, ThreadState t, int site) {
        if (o != null) {
            Site s = Site.of(site);
            Object own = Variables.own(o, t, s);
            if (own == null || !Protocol.lockOwn(own, s.offset(), t, site)) {
                lockWriteSlowly(o, t, s, site);
            }
        }
    }

    /** The same, unless the field has that value already. */
    public static void lockWrite(boolean isSame, Object o, ThreadState t, int site) {
        if (!isSame) {
            lockWrite(o, t, site);
        }
    }

    /** The same if the write can have dependencies; of a static field, without an object. */
    @DontInline
    private static void lockWriteSlowly(Object o, ThreadState t, Site s, int site) {
        Shadow h = Variables.of(o, t, s);
        if (h != null) {
            Protocol.lockForWrite(h, s.slot, t, site);
            if (ThreadState.FENCES && s.isVolatile) {
                Protocol.fenceWrite(h, s.slot, t, site);
            }
        }
    }

    /** Before a write of a field of an object that the method made and that has not left it. */
    @ForceInline
    public static void lockWriteOwn(Object o, ThreadState t, int site) {
        if (!Site.of(site).isOwn(t)) {
            lockWrite(o, t, site);
        }
    }

    /** Before a write of a static field. */
    public static void lockWriteStatic(ThreadState t, int site) {
        Site s = Site.of(site);
        s.initialize();
        lockWriteSlowly(null, t, s, site);
    }

    /** The same, unless the field has that value already. */
    public static void lockWriteStatic(boolean isSame, ThreadState t, int site) {
        if (!isSame) {
            lockWriteStatic(t, site);
        }
    }

    // ---- whether a field already has the value with which a method is about to fill it

    /** Compares integers, also short ones. */
    public static boolean isSame(int one, int other) {
        return one == other;
    }

    /** Compares values of type long. */
    public static boolean isSame(long one, long other) {
        return one == other;
    }

    /** Compares references: strings and boxes by value, enums, classes and others by identity. */
    public static boolean isSame(Object one, Object other) {
        boolean isValue = one instanceof String || one instanceof Integer || one instanceof Long || one instanceof Short || one instanceof Byte || one instanceof Character;
        return one == other || isValue && one.equals(other);
    }

    /** Before a write of an element of a primitive array. */
    public static void lockArrayWrite(Object array, int index, ThreadState t, int site) {
        Object own = Variables.own(array, index, t);
        if (own == null || !Protocol.lockOwn(own, Arrays.offset(index), t, site)) {
            lockArrayWriteSlowly(array, index, t, site);
        }
    }

    /** The same if the write can have dependencies. */
    @DontInline
    private static void lockArrayWriteSlowly(Object array, int index, ThreadState t, int site) {
        Shadow h = Variables.of(array, index, t);
        if (h != null) {
            Protocol.lockForWrite(h, index, t, site);
        }
    }

    /** Before a write of an element of a reference array; if the value has the wrong type, the program's store will throw. */
    public static void lockArrayWrite(Object array, int index, Object value, ThreadState t, int site) {
        if (value == null || array == null || array.getClass().getComponentType().isInstance(value)) {
            lockArrayWrite(array, index, t, site);
        }
    }

    /** After a bracketed read. */
    public static void unlockRead(ThreadState t) {
        if (t.held.isHeld()) {
            if (Probe.ON) {
                t.probe.locked(t, false);
            }
            t.held.release();
            if (t.owesStack) {
                t.tellStack();
            }
        }
    }

    /** After a write. */
    public static void unlock(ThreadState t) {
        if (t.held.isHeld()) {
            if (Probe.ON) {
                t.probe.locked(t, true);
            }
            t.held.release();
            if (t.owesStack) {
                t.tellStack();
            }
        }
    }

    // ---- arrays and objects that have not left the method that allocated them

    /** Before an array escapes its method, if accesses to it had no hooks: every element counts as written. */
    @DontInline
    public static void leaves(Object array, ThreadState t, int site) {
        t.lent = null;
        try {
            if (Arrays.enterWritten(array, t, site)) {
                return;
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            t.lostEvents++;
            return;
        }
        for (int i = 0, length = java.lang.reflect.Array.getLength(array); i < length; i++) {
            lockArrayWrite(array, i, t, site);
            unlock(t);
        }
    }

    /** Before an object escapes its method, if accesses to it had no hooks: every field counts as written. */
    public static void objectLeaves(Object o, ThreadState t, int site) {
        if (Site.of(site).isOwn(t)) {
            fieldsLeave(o, t, site);
        }
    }

    @DontInline
    private static void fieldsLeave(Object o, ThreadState t, int site) {
        t.settle();
        Layout layout = Layout.of(o.getClass());
        Shadow h = layout.shadowOf(o, t);
        for (int slot = 0; slot < layout.slots; slot++) {
            Protocol.lockForWrite(h, slot, t, site);
            unlock(t);
        }
    }

    /**
     * Before a call of another class's static method or constructor that lends an array: whether to call the method's copy instead
     * ({@link dev.regiontrack.runtime.sites.Copies}).
     */
    @ForceInline
    public static boolean borrows(int site) {
        return Site.of(site).borrows();
    }

    /** The same for a method that the receiver's class selects. */
    @ForceInline
    public static boolean borrows(Object receiver, int site) {
        return receiver != null && Site.of(site).borrows(receiver.getClass());
    }

    /** Before the last copy of such an array is passed to another class's method, or one that can be overridden, which may keep the array. */
    @ForceInline
    public static void passes(Object array, ThreadState t, int site) {
        passes(array, Site.of(site).callee(), t, site);
    }

    /** The same if the receiver selects the method; a call on null fails, so the array does not escape. */
    @ForceInline
    public static void passes(Object receiver, Object array, ThreadState t, int site) {
        if (receiver != null) {
            passes(array, Site.of(site).callee(receiver.getClass()), t, site);
        }
    }

    @ForceInline
    private static void passes(Object array, int callee, ThreadState t, int site) {
        if (callee == ClassInfo.LEAVES) {
            leaves(array, t, site);
        } else if (callee == ClassInfo.TOUCHES) {
            t.lent = array;
        }
    }

    /**
     * Before a call that gets an array and does not let it escape: until the call returns, accesses to it need no record. Calls of a method's copy
     * that was made for this need no hook.
     */
    @ForceInline
    public static void lend(Object array, ThreadState t) {
        t.lent = array;
    }

    /** After such a call has returned. If it throws, the array stays lent until the next call, which is harmless: it has not escaped. */
    @ForceInline
    public static void returned(ThreadState t) {
        t.lent = null;
    }

    /**
     * Before an access without a hook that may be the thread's first event: the answer depends on whether a started and
     * joined thread has made an event.
     */
    @ForceInline
    public static void acts(ThreadState t, int site) {
        if (t.forked != 0) {
            lockArrayRead(new Object[1], 0, t, site);
            unlockRead(t);
        }
    }

    // ---- monitors, waits, fences, blocks, copies

    /** After an object's monitor was entered. */
    @DontInline
    public static void enter(Object lock, ThreadState t, int site) {
        enter(lock, t, site, false);
    }

    /** The same if the critical section announces its first write. */
    @DontInline
    public static void enterToRead(Object lock, ThreadState t, int site) {
        enter(lock, t, site, true);
    }

    @ForceInline
    private static void enter(Object lock, ThreadState t, int site, boolean reads) {
        try {
            t.settle();
            Layout layout = Layout.of(lock.getClass());
            Monitor.enter(layout.shadowOf(lock, t), layout.typeOf(lock), t, site, reads);
            t.settle();
        } catch (OutOfMemoryError | StackOverflowError e) {
            t.lostEvents++;
        }
    }

    /** Before what may be the first write of a critical section that has only read so far. */
    @ForceInline
    public static void writes(ThreadState t) {
        if (!t.reading.isEmpty()) {
            endReading(t);
        }
    }

    @DontInline
    private static void endReading(ThreadState t) {
        try {
            t.settle();
            t.reading.end(t);
            t.settle();
        } catch (OutOfMemoryError | StackOverflowError e) {
            t.lostEvents++;
        }
    }

    /** Before an object's monitor is left. Throws nothing, so that the monitor is always left. */
    @DontInline
    public static void exit(Object lock, ThreadState t, int site) {
        try {
            t.settle();
            if (lock != null) {
                Layout layout = Layout.of(lock.getClass());
                Monitor.exit(layout.shadowOf(lock, t), layout.typeOf(lock), t, site);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            t.lostEvents++;
            t.reading.forget();
        }
    }

    /** The same where an exception leaves a synchronized method. Returns the exception. */
    @DontInline
    public static Throwable exitByException(Throwable e, Object lock, ThreadState t, int site) {
        exit(lock, t, site);
        return e;
    }

    /** Before {@code Object.wait}. */
    @DontInline
    public static void beforeWait(Object lock, ThreadState t, int site) {
        t.settle();
        if (lock != null && Thread.holdsLock(lock)) {
            Layout layout = Layout.of(lock.getClass());
            t.wait.begin(layout.shadowOf(lock, t), layout.typeOf(lock), t, site);
        }
    }

    /** After {@code Object.wait} has returned; if it throws, the thread's next hook does this. */
    public static void afterWait(ThreadState t) {
        t.wait.end(t);
        t.settle();
    }

    /** The thread waits for another one: a loop iteration has done nothing but read, or the thread was parked. */
    @DontInline
    public static void waited(ThreadState t) {
        try {
            t.settle();
            t.waits();
        } catch (OutOfMemoryError | StackOverflowError e) {
            // The wait goes unnoticed.
        }
    }

    /** After a call that is a fence. */
    public static void fence(ThreadState t, int site) {
        t.passFence(site);
    }

    /** An atomic method begins. Returns the number of enclosing blocks, which the method keeps for its end. */
    public static int begin(ThreadState t, int block) {
        return t.begin(block);
    }

    /**
     * An atomic method begins whose only events are accesses to the elements of this array. If the array was lent to
     * it, there are no events and therefore no block.
     */
    public static int begin(Object array, ThreadState t, int block) {
        return array == t.lent ? NOT_BEGUN : t.begin(block);
    }

    /** An atomic method returns. */
    public static void end(ThreadState t, int block, int outer) {
        if (outer != NOT_BEGUN) {
            t.end(block, false, outer);
        }
    }

    /**
     * An exception leaves an atomic method. A call of its own in the compiled method, because the handler is compiled though it rarely runs. Returns
     * the exception, so that the method's frame needs no slot for it.
     */
    @DontInline
    public static Throwable endByException(Throwable e, ThreadState t, int block, int outer) {
        if (outer != NOT_BEGUN) {
            t.end(block, true, outer);
        }
        if (ThreadState.IS_PARTIAL) {
            Sampling.settle(t);
        }
        return e;
    }

    /** Returns the class of a static synchronized method of an old class file, which has no class constants. */
    public static Class<?> classOf(int site) {
        return Site.of(site).owner();
    }

    /**
     * Before a call of the JDK by which the program can hand something over or receive it: {@code kinds} says what it can do, a bit for each of the
     * JDK's sites, and {@code site} is the first of its own. The result is for the hook after the call.
     */
    public static long hands(ThreadState t, int site, int kinds) {
        long before = t.handing;
        t.handing = (long) kinds << 32 | site;
        return before;
    }

    /** After such a call, unless it throws. */
    public static void handed(ThreadState t, long before) {
        t.handing = before;
    }

    /** After {@code Object.clone}: clears the shadow field, which the copy shares with its original. */
    public static void cloned(Object copy) {
        if (copy != null) {
            long offset = Layout.of(copy.getClass()).shadowOffset;
            if (offset != 0) {
                Shadow h = (Shadow) Refs.get(copy, offset);
                if (h != null && h.owner != copy) {
                    Refs.compareAndSet(copy, offset, h, null);
                }
            }
        }
    }

    /** At the entry and the exits of a class initialiser without other hooks. */
    public static void unseenInitializer(String name) {
        Threads.unseenInitializer(name);
    }
}
