package dev.regiontrack.runtime.sites;

import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.protocol.Probe;
import dev.regiontrack.runtime.shadows.Layout;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.shadows.Shadows;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import java.lang.ref.WeakReference;
import java.lang.reflect.Modifier;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * A place in the program that accesses a field: what the instruction names, and, once resolved ({@link FieldResolution}), where the field's
 * stamps are. Or a place that calls a method or constructor with an array or object made by the caller: what the callee does with it
 * ({@link Callees}).
 *
 * <p>The stable fields become constants of the compiled hook.
 */
public final class Site {
    private static final Unsafe U = Memory.U;
    private static final long STATE = U.objectFieldOffset(Site.class, "state");

    /** Not resolved yet; resolved; final or not to be observed. */
    static final int NEW = 0;
    static final int FIELD = 1;
    public static final int PASS = 2;
    /** A field of an object whose shadow is in the table. */
    public static final int FOREIGN = 3;

    /** The number of calls of a site before it is decided whether they can go to a copy: linking takes longer than these calls. */
    private static final int RARE = Integer.getInteger("regiontrack.test.rare", 64);
    /** The number of ordinary calls before one is made ahead, and the number of calls found to have an effect before nothing is asked any more. */
    private static final int FIRST = 2;
    private static final int MOST_REFUSED = 64;
    private static final int CHUNK = 1024;
    private static final long MASK = 0xffffffffL;
    @Stable
    private static final Site[][] CHUNKS = new Site[1 << 14][];
    private static int count = CHUNK;

    /** The first check of a read reads it only to detect {@link #PASS}; all others go through {@link #resolved}. */
    @Stable
    public int state;
    /**
     * Offset of the shadow field in the object, in the upper half, 0 for a static field; and of the field's {@code R} in the shadow. One word, because
     * the first check of a read reads it alone; 0 if that path is closed.
     */
    @Stable
    public long path;
    /** The shadow of the statics. */
    @Stable
    public Shadow statics;
    @Stable
    public long fieldOffset;
    /** Of a static field: the object that holds it. Weak, so that the program can unload the class. */
    private WeakReference<Object> base;
    /** The number of the constructor's site, if this site accesses an object that the method made; otherwise 0. */
    @Stable
    private int maker;
    int mostFields;
    /** Of a site that calls a method: what the callee does with an array. Of a constructor's site: whether its object can escape. */
    @Stable
    int callee;
    @Stable
    ClassInfo calleeInfo;
    /** Whether the callee, which no receiver selects, has no effect except that of a {@code compareAndSet}. */
    @Stable
    boolean tries;
    /** Of a call that selects a method by its receiver. */
    @Stable
    Callees.Target[] targets;
    int uses;
    /** How often a call that was to be made ahead had an effect. */
    private int refused;
    /** {@link #NEW}, {@link Callees#ORDINARY} or {@link Callees#COPIED}. Of a site that asks: ordinary if asking is in vain. */
    @Stable
    int lends;
    @Stable
    public int slot;
    @Stable
    public boolean isVolatile;
    public final char type;
    private boolean isInitialized;
    private WeakReference<Class<?>> declaring;
    final int number;
    final boolean isStatic;
    /** The class that contains the instruction. */
    final String in;
    final String owner;
    final String field;
    final WeakReference<ClassLoader> loader;

    private Site(int number, boolean isStatic, String in, String owner, String field, WeakReference<ClassLoader> loader) {
        this.number = number;
        this.isStatic = isStatic;
        this.in = in;
        this.owner = owner;
        this.field = field;
        this.loader = loader;
        type = field.isEmpty() ? 'L' : field.charAt(Layout.descriptorAt(field));
    }

    /** Returns the offset of the shadow field in the object; 0 if there is none. */
    public long shadowOffset() {
        return path >>> 32;
    }

    /** Returns the offset of the field's {@code W} in the shadow, if the path is open. */
    public long offset() {
        return (path & MASK) - Shadow.READ;
    }

    public static Site of(int number) {
        return CHUNKS[number / CHUNK][number % CHUNK];
    }

    /** Returns the site's number, by which instrumented code knows it; not 0. */
    public int number() {
        return number;
    }

    /** Reserves {@code n} numbers for the sites of a class about to be instrumented; returns the first, or 0 if there are no more. */
    static synchronized int reserve(int n) {
        if (count + n >= CHUNKS.length * CHUNK) {
            return 0;
        }
        int first = count;
        count += n;
        return first;
    }

    /** Registers a field's site; class names have dots, {@code field} is name:descriptor. */
    static synchronized void put(int number, boolean isStatic, String in, String owner, String field, WeakReference<ClassLoader> loader) {
        Site[] chunk = CHUNKS[number / CHUNK];
        if (chunk == null) {
            chunk = new Site[CHUNK];
            CHUNKS[number / CHUNK] = chunk;
        }
        chunk[number % CHUNK] = new Site(number, isStatic, in, owner, field, loader);
    }

    static synchronized void made(int number, int maker, int mostFields) {
        of(number).maker = maker;
        of(maker).mostFields = mostFields;
    }

    /**
     * Whether accesses here, to an object that the method made and that has not escaped, need no record: its constructors have kept it nowhere,
     * and this is not the thread's first action, which decides when it was started and is joined. A test sees all.
     */
    @ForceInline
    public boolean isOwn(ThreadState t) {
        return !Probe.ON && of(maker).keeps() == ClassInfo.IGNORES && t.forked == 0;
    }

    /** Returns what the constructor of this site lets its objects do. All threads always get the same answer. */
    @ForceInline
    private int keeps() {
        int known = callee;
        return known != NEW ? known : Callees.lookAtConstructor(this);
    }

    /**
     * Returns the state, after resolving the site if necessary. An acquire load, paired with the release in
     * {@link #publish}: a thread that sees that the site is resolved also sees its slot and offsets. With plain
     * accesses, a weakly ordered processor (aarch64) could show the new state with an offset that is still 0, and the
     * wrong word would be locked.
     */
    public int resolved() {
        int s = U.getIntAcquire(this, STATE);
        return s != NEW ? s : FieldResolution.resolve(this);
    }

    /** Returns what the static method that the site calls does with an array argument. */
    public int callee() {
        int known = callee;
        if (known == NEW) {
            known = Callees.lookAtCallee(this);
        }
        ClassInfo info = calleeInfo;
        return info == null || info.isRedefined ? ClassInfo.LEAVES : known;
    }

    /** Whether a call of a static method or a constructor goes to its copy. */
    @ForceInline
    public boolean borrows() {
        // One of another thread's results can be visible without the other.
        ClassInfo info = calleeInfo;
        return (lends == NEW ? countCall() : lends) == Callees.COPIED && info != null && !info.isRedefined;
    }

    /** The same for receivers of this class. */
    @ForceInline
    public boolean borrows(Class<?> type) {
        if ((lends == NEW ? countCall() : lends) != Callees.COPIED) {
            return false;
        }
        Callees.Target[] all = targets;
        for (int i = 0; all != null && i < Callees.MOST_TARGETS; i++) {
            Callees.Target known = all[i];
            if (known != null && known.copied == type) {
                return !known.info.isRedefined;
            }
        }
        return Callees.look(this, type);
    }

    /** Whether the class named here has been initialised, with all that its initialiser does. */
    public boolean isInitialized() {
        if (!isInitialized) {
            try {
                isInitialized = !U.shouldBeInitialized(load());
            } catch (LinkageError | ClassNotFoundException e) {
                // The call itself will throw.
            }
        }
        return isInitialized;
    }

    /** Whether a read of a static field of the class named here, or of one above it, runs no initialiser of the program. */
    public boolean needsNoInitializer() {
        if (!isInitialized) {
            isInitialized = Callees.areInitialized(this);
        }
        return isInitialized;
    }

    /**
     * The callees of the site are of this loader. If it is the program's own, the first calls are not made ahead: they load classes, and such a
     * loader runs code with hooks.
     */
    void isLoadedBy(ClassLoader calls) {
        boolean isPlatforms = calls == null || calls.getClass().getClassLoader() == null;
        if (field.endsWith(ClassInfo.NONE_OF_THEM)) {
            uses = isPlatforms ? FIRST : 0;
        }
    }

    /**
     * Whether to make a call ahead of a method that has no effect, or may have one. The first calls can be ordinary ones ({@link #isLoadedBy}), and
     * after many with effects nothing is asked any more. Threads that count at the same time can lose a count.
     */
    public boolean asks(boolean isPure) {
        if (isPure) {
            return uses >= FIRST || ++uses > FIRST;
        }
        if (++refused >= MOST_REFUSED) {
            lends = Callees.ORDINARY;
        }
        return false;
    }

    /** Whether asking was in vain so often that it is given up. */
    @ForceInline
    public boolean isAskedInVain() {
        return lends == Callees.ORDINARY;
    }

    private int countCall() {
        // Threads that count at the same time can lose a count, which only delays the decision.
        return ++uses < RARE ? NEW : Callees.look(this);
    }

    /** Whether the receiver selects the method that the site calls. */
    boolean isSelecting() {
        return !field.startsWith(ClassInfo.STATIC);
    }

    /** Returns what the method that the site calls, for receivers of this class, does with an array argument. */
    public int callee(Class<?> type) {
        Callees.Target known = target(type);
        if (known == null) {
            return targets == null || targets[Callees.MOST_TARGETS - 1] == null ? Callees.lookAtCallee(this, type) : ClassInfo.LEAVES;
        }
        return known.info.isRedefined ? ClassInfo.LEAVES : known.callee;
    }

    /** Whether this method, once that was asked, is known to have no effect except that of a {@code compareAndSet}. */
    public boolean tries(Class<?> type) {
        Callees.Target known = target(type);
        return known != null && known.tries && !known.info.isRedefined;
    }

    /** The same for a static method. */
    public boolean tries() {
        return tries && !calleeInfo.isRedefined;
    }

    @ForceInline
    Callees.Target target(Class<?> type) {
        Callees.Target[] all = targets;
        for (int i = 0; all != null && i < Callees.MOST_TARGETS; i++) {
            Callees.Target target = all[i];
            if (target == null || target.type.get() == type) {
                return target;
            }
        }
        return null;
    }

    /** Enters a class, once. */
    synchronized void put(Class<?> type, Callees.Target target) {
        if (targets == null) {
            targets = new Callees.Target[Callees.MOST_TARGETS];
        }
        for (int i = 0; target(type) == null && i < Callees.MOST_TARGETS; i++) {
            targets[i] = targets[i] == null ? target : targets[i];
        }
    }

    /** Loads the class that the site names. */
    Class<?> load() throws ClassNotFoundException {
        return Class.forName(owner, false, loader.get());
    }

    /** Returns the class that the site names, where the JVM has already resolved it. */
    public Class<?> owner() {
        try {
            return load();
        } catch (ClassNotFoundException e) {
            throw new NoClassDefFoundError(owner);
        }
    }

    /**
     * Stores the result of resolving the site, then, with release, the state. If two threads come here with the same
     * results, only the first stores them, so that nothing changes after publication. The first check of a read reads
     * the path without the state: the path changes once from 0 to its value, and the check fails while it is 0.
     */
    synchronized int publish(Layout layout, int at, long offset, WeakReference<Class<?>> type, WeakReference<Object> holder) {
        if (state == NEW) {
            slot = layout.slot(at);
            isVolatile = Modifier.isVolatile(layout.access(at));
            fieldOffset = offset;
            declaring = type;
            base = holder;
            statics = isStatic ? layout.statics : null;
            long shadowOffset = isStatic ? 0 : layout.shadowOffset;
            boolean isForeign = statics == null && shadowOffset == 0;
            U.storeFence();
            path = isForeign ? 0 : shadowOffset << 32 | Shadows.BASE + (long) slot * Shadow.WORDS + Shadow.READ;
            U.putIntRelease(this, STATE, isForeign ? FOREIGN : FIELD);
        }
        return state;
    }

    synchronized int pass() {
        if (state == NEW) {
            U.putIntRelease(this, STATE, PASS);
        }
        return state;
    }

    /**
     * Initialises the class of a static field, before its variable is found and locked: initialisers are code of the
     * program, with accesses of their own.
     */
    public void initialize() {
        if (!isInitialized && resolved() != PASS) {
            // Not collected: an instruction is about to access its field.
            Class<?> d = declaring.get();
            U.ensureClassInitialized(d);
            isInitialized = !U.shouldBeInitialized(d);
        }
    }

    /** Returns the object that holds the field: {@code o}, or the base object of the class's static fields. */
    public Object holder(Object o) {
        return isStatic ? base.get() : o;
    }
}
