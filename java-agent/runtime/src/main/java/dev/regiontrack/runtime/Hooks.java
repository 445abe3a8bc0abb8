package dev.regiontrack.runtime;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What instrumented code calls. Static; a class file's own frames suffice, but for a second reading.
 *
 * <p>A read hook is given the value that the program has loaded. For integers and references, which the JVM's messages about null
 * pointers may speak of, it says whether that value is good, and the program reads again if not; for others it returns the value to
 * use: the same, or the one loaded again under the variable's lock. A write is the program's own, between {@code lock...} and
 * {@link #unlock}; nothing is locked where the instruction is going to throw. Reads of array elements that messages may speak of, and all
 * in old class files, are bracketed in the same way.
 */
public final class Hooks {
    private static final Unsafe U = Memory.U;

    private Hooks() {
    }

    /** The first check of a read, whose value was loaded before: true if nothing has to be recorded. */
    @ForceInline
    private static boolean isCovered(Object o, ThreadState t, Site s) {
        long shadowOffset = s.shadowOffset;
        long readOffset = s.readOffset;
        if (shadowOffset == 0 || readOffset == 0) {
            return s.state == Site.PASS;
        }
        Object h = Refs.get(o, shadowOffset);
        return h != null && isMine(h, readOffset, t);
    }

    @ForceInline
    private static boolean isCovered(ThreadState t, Site s) {
        Shadow h = s.statics;
        long readOffset = s.readOffset;
        if (h == null || readOffset == 0) {
            return s.state == Site.PASS;
        }
        return isMine(h, readOffset, t);
    }

    @ForceInline
    private static boolean isMine(Object h, long readOffset, ThreadState t) {
        U.loadFence();
        long r = U.getLongAcquire(h, readOffset);
        if (Tap.ON) {
            t.cover = Stamp.isShared(r) ? t.rememberedCover(r) : r;
        }
        boolean isCovered = Stamp.isMine(r, t.seg) || t.remembers(r);
        if (ThreadState.COUNTS && isCovered) {
            t.fast++;
        }
        return isCovered;
    }

    /** Finds the variable of a field access, as the variable at hand; false if it is not observed. */
    private static boolean locate(Object o, ThreadState t, Site s) {
        t.slow++;
        if (t.isUnsettled()) {
            t.settle();
        }
        int state = s.resolved();
        if (state == Site.PASS) {
            return false;
        }
        if (state == Site.FOREIGN) {
            Arrays.locate(o, s.slot, t);
        } else {
            Shadow h = s.statics;
            if (h == null) {
                h = (Shadow) Refs.getAcquire(o, s.shadowOffset);
                if (h == null || h.owner != o) {
                    h = Layout.of(o.getClass()).shadowOf(o, t);
                }
            }
            t.shadow = h;
            t.slot = s.slot;
            t.offset = s.readOffset - Shadow.READ;
        }
        if (Tap.ON) {
            t.at(s.holder(o), s.fieldOffset, s.type);
        }
        return true;
    }

    /** Finds the variable of an array's element; false if there is no such element. */
    private static boolean locate(Object array, int index, char type, ThreadState t) {
        t.slow++;
        if (t.isUnsettled()) {
            t.settle();
        }
        if (array == null || index < 0 || index >= java.lang.reflect.Array.getLength(array)) {
            return false;
        }
        Arrays.locate(array, index, t);
        if (Tap.ON) {
            t.at(array, Memory.element(type, index), type);
        }
        return true;
    }

    /** True if a read of the variable at hand is redundant after all. */
    private static boolean isCovered(ThreadState t) {
        long cover = Protocol.cover(t);
        if (Tap.ON) {
            t.cover = cover;
        }
        if (cover != 0) {
            t.forget();
        }
        return cover != 0;
    }

    private static char arrayType(Object array) {
        Class<?> c = array.getClass();
        return c == byte[].class ? 'B' : c == boolean[].class ? 'Z' : c == int[].class ? 'I' : c == char[].class ? 'C' : c == short[].class ? 'S'
            : c == long[].class ? 'J' : c == float[].class ? 'F' : c == double[].class ? 'D' : 'L';
    }

    // ---- int: the value stays on the stack

    /** True if the value that was read is good; if not, the program reads again. */
    @ForceInline
    public static boolean check(Object o, int v, ThreadState t, int site) {
        Site s = Site.of(site);
        if (isCovered(o, t, s)) {
            return Tap.ON ? tap(o, v, t, s) : true;
        }
        return slowCheck(o, v, t, s, site);
    }

    /** The same for a static field. */
    @ForceInline
    public static boolean checkStatic(int v, ThreadState t, int site) {
        Site s = Site.of(site);
        if (isCovered(t, s)) {
            return Tap.ON ? tap(null, v, t, s) : true;
        }
        return slowCheck(null, v, t, s, site);
    }

    @DontInline
    private static boolean slowCheck(Object o, int v, ThreadState t, Site s, int site) {
        if (!locate(o, t, s)) {
            return true;
        }
        Object at = s.holder(o);
        if (isCovered(t)) {
            return Tap.ON ? tap(at, v, t, s) : true;
        }
        if (!Protocol.tryLock(t)) {
            return true;
        }
        if (Memory.getInt(at, s.fieldOffset, s.type) != v) {
            t.release();
            return false;
        }
        Protocol.readLocked(t, site);
        if (Tap.ON) {
            Tap.locked(t, false);
        }
        t.release();
        return true;
    }

    private static boolean tap(Object at, int v, ThreadState t, Site s) {
        if (s.state != Site.PASS) {
            Tap.pause();
            Tap.covered(at, t, s, Tap.MUTANT ? Memory.getInt(s.holder(at), s.fieldOffset, s.type) : v);
        }
        return true;
    }

    // ---- Object: the value stays on the stack

    /** True if the value that was read is good; if not, the program reads again. */
    @ForceInline
    public static boolean check(Object o, Object v, ThreadState t, int site) {
        Site s = Site.of(site);
        if (isCovered(o, t, s)) {
            return Tap.ON ? tap(o, v, t, s) : true;
        }
        return slowCheck(o, v, t, s, site);
    }

    /** The same for a static field. */
    @ForceInline
    public static boolean checkStatic(Object v, ThreadState t, int site) {
        Site s = Site.of(site);
        if (isCovered(t, s)) {
            return Tap.ON ? tap(null, v, t, s) : true;
        }
        return slowCheck(null, v, t, s, site);
    }

    @DontInline
    private static boolean slowCheck(Object o, Object v, ThreadState t, Site s, int site) {
        if (!locate(o, t, s)) {
            return true;
        }
        Object at = s.holder(o);
        if (isCovered(t)) {
            return Tap.ON ? tap(at, v, t, s) : true;
        }
        if (!Protocol.tryLock(t)) {
            return true;
        }
        if (Refs.get(at, s.fieldOffset) != v) {
            t.release();
            return false;
        }
        Protocol.readLocked(t, site);
        if (Tap.ON) {
            Tap.locked(t, false);
        }
        t.release();
        return true;
    }

    private static boolean tap(Object at, Object v, ThreadState t, Site s) {
        if (s.state != Site.PASS) {
            Tap.pause();
            Tap.covered(at, t, s, Tap.MUTANT ? Memory.bits(Refs.get(s.holder(at), s.fieldOffset)) : Memory.bits(v));
        }
        return true;
    }

    // ---- long

    @ForceInline
    public static long read(Object o, long v, ThreadState t, int site) {
        Site s = Site.of(site);
        if (isCovered(o, t, s)) {
            return Tap.ON ? tapped(o, v, t, s) : v;
        }
        return slowRead(o, v, t, s, site);
    }

    @ForceInline
    public static long readStatic(long v, ThreadState t, int site) {
        Site s = Site.of(site);
        if (isCovered(t, s)) {
            return Tap.ON ? tapped(null, v, t, s) : v;
        }
        return slowRead(null, v, t, s, site);
    }

    @DontInline
    private static long slowRead(Object o, long v, ThreadState t, Site s, int site) {
        if (!locate(o, t, s)) {
            return v;
        }
        Object at = s.holder(o);
        if (isCovered(t)) {
            return Tap.ON ? tapped(at, v, t, s) : v;
        }
        if (Protocol.lockForRead(t, site)) {
            v = U.getLong(at, s.fieldOffset);
            if (Tap.ON) {
                Tap.locked(t, false);
            }
            t.release();
        }
        return v;
    }

    private static long tapped(Object o, long v, ThreadState t, Site s) {
        if (s.state == Site.PASS) {
            return v;
        }
        Tap.pause();
        if (Tap.MUTANT) {
            v = U.getLong(s.holder(o), s.fieldOffset);
        }
        Tap.covered(o, t, s, v);
        return v;
    }

    public static long arrayRead(Object array, int index, long v, ThreadState t, int site) {
        if (!locate(array, index, 'J', t)) {
            return v;
        }
        if (isCovered(t)) {
            if (Tap.ON) {
                Tap.covered(t, v);
            }
            return v;
        }
        if (Protocol.lockForRead(t, site)) {
            v = ((long[]) array)[index];
            if (Tap.ON) {
                Tap.locked(t, false);
            }
            t.release();
        }
        return v;
    }

    // ---- float

    @ForceInline
    public static float read(Object o, float v, ThreadState t, int site) {
        Site s = Site.of(site);
        if (isCovered(o, t, s)) {
            return Tap.ON ? tapped(o, v, t, s) : v;
        }
        return slowRead(o, v, t, s, site);
    }

    @ForceInline
    public static float readStatic(float v, ThreadState t, int site) {
        Site s = Site.of(site);
        if (isCovered(t, s)) {
            return Tap.ON ? tapped(null, v, t, s) : v;
        }
        return slowRead(null, v, t, s, site);
    }

    @DontInline
    private static float slowRead(Object o, float v, ThreadState t, Site s, int site) {
        if (!locate(o, t, s)) {
            return v;
        }
        Object at = s.holder(o);
        if (isCovered(t)) {
            return Tap.ON ? tapped(at, v, t, s) : v;
        }
        if (Protocol.lockForRead(t, site)) {
            v = U.getFloat(at, s.fieldOffset);
            if (Tap.ON) {
                Tap.locked(t, false);
            }
            t.release();
        }
        return v;
    }

    private static float tapped(Object o, float v, ThreadState t, Site s) {
        if (s.state == Site.PASS) {
            return v;
        }
        Tap.pause();
        if (Tap.MUTANT) {
            v = U.getFloat(s.holder(o), s.fieldOffset);
        }
        Tap.covered(o, t, s, Float.floatToRawIntBits(v));
        return v;
    }

    public static float arrayRead(Object array, int index, float v, ThreadState t, int site) {
        if (!locate(array, index, 'F', t)) {
            return v;
        }
        if (isCovered(t)) {
            if (Tap.ON) {
                Tap.covered(t, Float.floatToRawIntBits(v));
            }
            return v;
        }
        if (Protocol.lockForRead(t, site)) {
            v = ((float[]) array)[index];
            if (Tap.ON) {
                Tap.locked(t, false);
            }
            t.release();
        }
        return v;
    }

    // ---- double

    @ForceInline
    public static double read(Object o, double v, ThreadState t, int site) {
        Site s = Site.of(site);
        if (isCovered(o, t, s)) {
            return Tap.ON ? tapped(o, v, t, s) : v;
        }
        return slowRead(o, v, t, s, site);
    }

    @ForceInline
    public static double readStatic(double v, ThreadState t, int site) {
        Site s = Site.of(site);
        if (isCovered(t, s)) {
            return Tap.ON ? tapped(null, v, t, s) : v;
        }
        return slowRead(null, v, t, s, site);
    }

    @DontInline
    private static double slowRead(Object o, double v, ThreadState t, Site s, int site) {
        if (!locate(o, t, s)) {
            return v;
        }
        Object at = s.holder(o);
        if (isCovered(t)) {
            return Tap.ON ? tapped(at, v, t, s) : v;
        }
        if (Protocol.lockForRead(t, site)) {
            v = U.getDouble(at, s.fieldOffset);
            if (Tap.ON) {
                Tap.locked(t, false);
            }
            t.release();
        }
        return v;
    }

    private static double tapped(Object o, double v, ThreadState t, Site s) {
        if (s.state == Site.PASS) {
            return v;
        }
        Tap.pause();
        if (Tap.MUTANT) {
            v = U.getDouble(s.holder(o), s.fieldOffset);
        }
        Tap.covered(o, t, s, Double.doubleToRawLongBits(v));
        return v;
    }

    public static double arrayRead(Object array, int index, double v, ThreadState t, int site) {
        if (!locate(array, index, 'D', t)) {
            return v;
        }
        if (isCovered(t)) {
            if (Tap.ON) {
                Tap.covered(t, Double.doubleToRawLongBits(v));
            }
            return v;
        }
        if (Protocol.lockForRead(t, site)) {
            v = ((double[]) array)[index];
            if (Tap.ON) {
                Tap.locked(t, false);
            }
            t.release();
        }
        return v;
    }

    // ---- bracketed accesses

    /** Before a read of a field. */
    public static void lockRead(Object o, ThreadState t, int site) {
        if (o != null && locate(o, t, Site.of(site))) {
            Protocol.lockToRead(t, site);
        }
    }

    /** Before a read of a static field. */
    public static void lockReadStatic(ThreadState t, int site) {
        Site s = Site.of(site);
        s.initialize();
        if (locate(null, t, s)) {
            Protocol.lockToRead(t, site);
        }
    }

    /** Before a read of an element. */
    public static void lockArrayRead(Object array, int index, ThreadState t, int site) {
        if (array != null && locate(array, index, arrayType(array), t)) {
            Protocol.lockToRead(t, site);
        }
    }

    /** Before a write of a field. */
    public static void lockWrite(Object o, ThreadState t, int site) {
        if (o != null && locate(o, t, Site.of(site))) {
            Protocol.lockForWrite(t, site);
        }
    }

    /** Before a write of a static field. */
    public static void lockWriteStatic(ThreadState t, int site) {
        Site s = Site.of(site);
        s.initialize();
        if (locate(null, t, s)) {
            Protocol.lockForWrite(t, site);
        }
    }

    /** Before a write of an element of a primitive array. */
    public static void lockArrayWrite(Object array, int index, ThreadState t, int site) {
        if (array != null && locate(array, index, arrayType(array), t)) {
            Protocol.lockForWrite(t, site);
        }
    }

    /** Before a write of an element of a reference array; a value that does not fit is going to throw. */
    public static void lockArrayWrite(Object array, int index, Object value, ThreadState t, int site) {
        if (array != null && (value == null || array.getClass().getComponentType().isInstance(value)) && locate(array, index, 'L', t)) {
            Protocol.lockForWrite(t, site);
        }
    }

    /** After a bracketed read. */
    public static void unlockRead(ThreadState t) {
        if (t.held) {
            if (Tap.ON) {
                Tap.locked(t, false);
            }
            t.release();
        }
    }

    /** After a write. */
    public static void unlock(ThreadState t) {
        if (t.held) {
            if (Tap.ON) {
                Tap.locked(t, true);
            }
            t.release();
        }
    }

    // ---- monitors, waits, blocks, copies

    /** After an object's monitor was entered. */
    public static void enter(Object lock, ThreadState t, int site) {
        try {
            if (t.isUnsettled()) {
                t.settle();
            }
            Layout layout = Layout.of(lock.getClass());
            Monitor.enter(layout.shadowOf(lock, t), layout.type, t, site);
        } catch (OutOfMemoryError | StackOverflowError e) {
            t.lostEvents++;
        }
    }

    /** Before an object's monitor is left. Throws nothing, so that it is left. */
    public static void exit(Object lock, ThreadState t, int site) {
        try {
            if (t.isUnsettled()) {
                t.settle();
            }
            if (lock != null) {
                Layout layout = Layout.of(lock.getClass());
                Monitor.exit(layout.shadowOf(lock, t), layout.type, t, site);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            t.lostEvents++;
        }
    }

    /** Before {@code Object.wait}. */
    public static void beforeWait(Object lock, ThreadState t, int site) {
        if (t.isUnsettled()) {
            t.settle();
        }
        if (lock != null && Thread.holdsLock(lock)) {
            Layout layout = Layout.of(lock.getClass());
            t.beginWait(layout.shadowOf(lock, t), layout.type, site);
        }
    }

    /** After {@code Object.wait} has returned; if it throws, the thread's next hook does it. */
    public static void afterWait(ThreadState t) {
        t.endWait();
    }

    /** An atomic method begins. Returns how many blocks it is in, which the method keeps for its end. */
    public static int begin(ThreadState t, int site) {
        if (t.isUnsettled()) {
            t.settle();
        }
        t.room(8);
        int outer = t.depth;
        t.begin(site);
        return outer;
    }

    /** An atomic method ends. */
    public static void end(ThreadState t, int site, boolean byException, int outer) {
        try {
            if (t.isUnsettled()) {
                t.settle();
            }
            while (t.depth > outer) {
                // Inner blocks are still open only where there was no stack left even to call this.
                t.room(8);
                t.end(t.depth > outer + 1 ? 0 : site, byException);
            }
        } catch (StackOverflowError e) {
            // Nothing may be called here. Whoever gets on with this thread ends them.
            t.owedEnds = t.depth - outer;
        }
    }

    /** The class of a static synchronized method of an old class file, which cannot name it. */
    public static Class<?> classOf(int site) {
        return Site.of(site).owner();
    }

    /** A copy made by {@code Object.clone} has the shadow field of its original: takes it out. */
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
}
