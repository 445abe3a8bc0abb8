package dev.regiontrack.runtime.sites;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.protocol.Probe;
import dev.regiontrack.runtime.shadows.Layout;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.shadows.Shadows;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.StackSize;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import java.lang.invoke.MethodHandle;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import jdk.internal.misc.Unsafe;
import jdk.internal.reflect.Reflection;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * A place in the program that accesses a field: what the instruction names, and, once resolved, where the field's
 * stamps are.
 *
 * <p>Resolved at the first access by the JVM's rule (the class, its interfaces, its superclass), through the loader of the class
 * that contains the instruction. The stable fields become constants of the compiled hook.
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

    /** So many calls of a site go on before it is looked at whether they can be ones of a copy: linking them takes longer than these calls. */
    private static final int RARE = Integer.getInteger("regiontrack.test.rare", 64);
    /** Besides {@link #NEW}, of a site that lends an array: its calls are of no copy; they can be of one. */
    private static final int ORDINARY = 1;
    private static final int COPIED = 2;

    /** A call remembers this many classes of receivers; for others, arrays leave. */
    private static final int MOST_TARGETS = 4;

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
    /** Of a static field: the object that holds it. Weak, because the program can unload the class. */
    private WeakReference<Object> base;
    /** The number of the site of the constructor, if this one is at an object that the method made; otherwise 0. */
    @Stable
    private int maker;
    private int mostFields;
    /** Of a site that calls a method, what that does with an array. Of a constructor's site, whether its object can leave. */
    @Stable
    private int callee;
    @Stable
    private ClassInfo calleeInfo;
    /** Of a call that selects a method by its receiver. */
    @Stable
    private Target[] targets;
    private int uses;
    /** {@link #NEW}, {@link #ORDINARY} or {@link #COPIED}. */
    @Stable
    private int lends;
    @Stable
    public int slot;
    @Stable
    public boolean isVolatile;
    public final char type;
    private boolean isInitialized;
    private WeakReference<Class<?>> declaring;
    private final boolean isStatic;
    /** The class that contains the instruction. */
    private final String in;
    private final String owner;
    private final String field;
    private final WeakReference<ClassLoader> loader;

    private Site(boolean isStatic, String in, String owner, String field, WeakReference<ClassLoader> loader) {
        this.isStatic = isStatic;
        this.in = in;
        this.owner = owner;
        this.field = field;
        this.loader = loader;
        type = field.isEmpty() ? 'L' : field.charAt(field.indexOf(':') + 1);
    }

    /** Offset of the shadow field in the object; 0 if there is none. */
    public long shadowOffset() {
        return path >>> 32;
    }

    /** Offset of the field's {@code W} in the shadow, if the path is open. */
    public long offset() {
        return (path & MASK) - Shadow.READ;
    }

    public static Site of(int number) {
        return CHUNKS[number / CHUNK][number % CHUNK];
    }

    /** Numbers for sites of a class about to be instrumented: the first of {@code n}; 0 if there are no more. */
    static synchronized int reserve(int n) {
        if (count + n >= CHUNKS.length * CHUNK) {
            return 0;
        }
        int first = count;
        count += n;
        return first;
    }

    /** Registers a field's site; class names with dots, {@code field} as name:descriptor. */
    static synchronized void put(int number, boolean isStatic, String in, String owner, String field, WeakReference<ClassLoader> loader) {
        Site[] chunk = CHUNKS[number / CHUNK];
        if (chunk == null) {
            chunk = new Site[CHUNK];
            CHUNKS[number / CHUNK] = chunk;
        }
        chunk[number % CHUNK] = new Site(isStatic, in, owner, field, loader);
    }

    static synchronized void made(int number, int maker, int mostFields) {
        of(number).maker = maker;
        of(maker).mostFields = mostFields;
    }

    /**
     * True if accesses here, to an object that the method made and that has not left it, need no record: its constructors have kept it nowhere,
     * and this is not the first thing that the thread does, which decides when it was started and is joined. A test sees all.
     */
    @ForceInline
    public boolean isOwn(ThreadState t) {
        return !Probe.ON && of(maker).keeps() == ClassInfo.IGNORES && t.forked == 0;
    }

    /** What the constructor of this site lets its objects do. All threads get the same answer, always. */
    @ForceInline
    private int keeps() {
        int known = callee;
        return known != NEW ? known : lookAtConstructor();
    }

    /** An object of the class exists, so all of its classes are loaded. Takes the lock only once it knows. */
    private int lookAtConstructor() {
        int found;
        ThreadState t = Threads.current();
        try (Inside inside = t.inside()) {
            Class<?> c = Class.forName(owner, false, loader.get());
            Layout layout = Layout.of(c);
            boolean isWatched = layout.shadowOffset != 0 && layout.slots <= mostFields;
            found = isWatched && ClassInfo.keepsNothing(c, field) ? ClassInfo.IGNORES : ClassInfo.LEAVES;
        } catch (LinkageError | ClassNotFoundException e) {
            found = ClassInfo.LEAVES;
        }
        synchronized (this) {
            callee = callee == NEW ? found : callee;
            return callee;
        }
    }

    /**
     * The state, after resolving the site if necessary. An acquire load, paired with the release in {@link #publish}: a
     * thread that sees that the site is resolved also sees its slot and offsets. With plain accesses a weakly ordered
     * processor (aarch64) could show the new state with an offset that is still 0, and the wrong word would be locked.
     */
    public int resolved() {
        int s = U.getIntAcquire(this, STATE);
        return s != NEW ? s : resolve();
    }

    /** Resolves the site. One that cannot be resolved passes: the instruction throws its own error. Loads classes, so it holds no lock. */
    @DontInline
    private int resolve() {
        ThreadState t = Threads.current();
        try (Inside inside = t.inside()) {
            return resolveIn(Class.forName(owner, false, loader.get()));
        } catch (LinkageError | ClassNotFoundException e) {
            return pass();
        }
    }

    /** What the static method that the site calls does with an array argument. */
    public int callee() {
        int known = callee;
        if (known == NEW) {
            known = lookAtCallee();
        }
        ClassInfo info = calleeInfo;
        return info == null || info.isRedefined ? ClassInfo.LEAVES : known;
    }

    /** Loads classes, so it holds no lock. All threads get the same result. */
    private int lookAtCallee() {
        ThreadState t = Threads.current();
        try (Inside inside = t.inside()) {
            ClassInfo info = ClassInfo.of(Class.forName(owner, false, loader.get()));
            calleeInfo = info;
            callee = info == null ? ClassInfo.LEAVES : info.keepers.getOrDefault(field, ClassInfo.LEAVES) & ~ClassInfo.COPIED;
        } catch (LinkageError | ClassNotFoundException e) {
            // The call itself will throw.
            callee = ClassInfo.LEAVES;
        }
        return callee;
    }

    /** Whether a call of a static method or a constructor is to be one of its copy. */
    @ForceInline
    public boolean borrows() {
        // Another thread's results can be seen one without the other.
        ClassInfo info = calleeInfo;
        return (lends == NEW ? countCall() : lends) == COPIED && info != null && !info.isRedefined;
    }

    /** The same for receivers of this class. */
    @ForceInline
    public boolean borrows(Class<?> type) {
        if ((lends == NEW ? countCall() : lends) != COPIED) {
            return false;
        }
        Target[] all = targets;
        for (int i = 0; all != null && i < MOST_TARGETS; i++) {
            Target known = all[i];
            if (known != null && known.copied == type) {
                return !known.info.isRedefined;
            }
        }
        return look(type);
    }

    private int countCall() {
        // Threads that count at the same time can lose a count, which delays the rest.
        return ++uses < RARE ? NEW : look();
    }

    private int look() {
        if (!StackSize.hasRoom()) {
            uses = 0;
            return NEW;
        }
        ThreadState t = Threads.current();
        try (Inside inside = t.inside()) {
            lends = isCopied() ? COPIED : ORDINARY;
            return lends;
        } catch (OutOfMemoryError | StackOverflowError e) {
            uses = 0;
            return NEW;
        }
    }

    /** The same for receivers that have no copy, as far as is known. */
    private boolean look(Class<?> type) {
        Target known = target(type);
        return known != null && known.lends == NEW && look(known, type) == COPIED && !known.info.isRedefined;
    }

    private boolean isCopied() {
        boolean isCopied = false;
        if (isSelecting()) {
            for (int i = 0; targets != null && i < MOST_TARGETS && targets[i] != null; i++) {
                isCopied |= isCopied(targets[i].callee, targets[i].info);
            }
        } else {
            isCopied = isCopied(callee(), calleeInfo) && copy() != null;
        }
        return isCopied;
    }

    private boolean isCopied(int callee, ClassInfo info) {
        return callee == ClassInfo.TOUCHES && (info.keepers.get(field) & ClassInfo.COPIED) != 0;
    }

    /** Holds no lock, because it can call the program's class loaders. All threads get the same result. */
    private int look(Target target, Class<?> type) {
        if (!StackSize.hasRoom()) {
            return NEW;
        }
        ThreadState t = Threads.current();
        try (Inside inside = t.inside()) {
            boolean isCopied = isCopied(target.callee, target.info) && Copies.outlives(type, loader.get()) && copyFor(type) != null;
            target.copied = isCopied ? type : null;
            target.lends = isCopied ? COPIED : ORDINARY;
            return target.lends;
        } catch (LinkageError e) {
            target.lends = ORDINARY;
            return ORDINARY;
        } catch (OutOfMemoryError | StackOverflowError e) {
            return NEW;
        }
    }

    /** True if the site calls a method that is selected by the receiver. */
    boolean isSelecting() {
        return !field.startsWith(ClassInfo.STATIC);
    }

    /** The copy of the static method that the site calls; null if it cannot be called. */
    MethodHandle copy() {
        try {
            return Copies.find(Class.forName(owner, false, loader.get()), field);
        } catch (LinkageError | ClassNotFoundException e) {
            return null;
        }
    }

    /** The copy of the method that the site calls for receivers of this class; null if it cannot be called. */
    MethodHandle copyFor(Class<?> type) {
        return Copies.find(declaring(type), field);
    }

    /** The method that a call reaches for receivers of one class. */
    private static final class Target {
        @Stable
        private final WeakReference<Class<?>> type;
        @Stable
        private final int callee;
        @Stable
        private final ClassInfo info;
        /** The class, once calls for its receivers are ones of the copy: it lives as long as the caller's. */
        @Stable
        private Class<?> copied;
        /** The same as in the site, for receivers of the class. */
        @Stable
        private int lends;

        Target(Class<?> type, int callee, ClassInfo info) {
            this.type = new WeakReference<>(type);
            this.callee = callee;
            this.info = info;
        }
    }

    /** What the method that the site calls, for receivers of this class, does with an array argument. */
    public int callee(Class<?> type) {
        Target known = target(type);
        if (known == null) {
            return targets == null || targets[MOST_TARGETS - 1] == null ? lookAtCallee(type) : ClassInfo.LEAVES;
        }
        return known.info.isRedefined ? ClassInfo.LEAVES : known.callee;
    }

    @ForceInline
    private Target target(Class<?> type) {
        Target[] all = targets;
        for (int i = 0; all != null && i < MOST_TARGETS; i++) {
            Target target = all[i];
            if (target == null || target.type.get() == type) {
                return target;
            }
        }
        return null;
    }

    /** All threads get the same result; each class is entered once. */
    private int lookAtCallee(Class<?> type) {
        ThreadState t = Threads.current();
        try (Inside inside = t.inside()) {
            return calleeFor(type);
        }
    }

    private int calleeFor(Class<?> type) {
        Class<?> nearest = declaring(type);
        ClassInfo info = nearest == null ? ClassInfo.NONE : ClassInfo.of(nearest);
        int declared = info.keepers.getOrDefault(field, ClassInfo.LEAVES);
        int found = nearest == null || isDeclaredOtherwise(nearest, declared) ? ClassInfo.LEAVES : declared & ~(ClassInfo.IN_PACKAGE | ClassInfo.COPIED);
        put(type, new Target(type, found, info));
        return found;
    }

    private synchronized void put(Class<?> type, Target target) {
        if (targets == null) {
            targets = new Target[MOST_TARGETS];
        }
        for (int i = 0; target(type) == null && i < MOST_TARGETS; i++) {
            targets[i] = targets[i] == null ? target : targets[i];
        }
    }

    /** The nearest class with a declaration of the method; null if that may be one whose methods are not known. */
    private Class<?> declaring(Class<?> type) {
        for (Class<?> c = type;; c = c.getSuperclass()) {
            ClassInfo info = ClassInfo.of(c);
            if (info == null || info.keepers.containsKey(field)) {
                return info == null ? null : c;
            }
        }
    }

    /**
     * True if the JVM may select another declaration than the nearest, because it is none that overrides: if one of them, the nearest or another
     * one above, is not public or protected, and they are not in the same package.
     */
    private boolean isDeclaredOtherwise(Class<?> nearest, int declared) {
        int all = declared;
        boolean isElsewhere = false;
        for (Class<?> c = nearest.getSuperclass(); c != null; c = c.getSuperclass()) {
            ClassInfo info = ClassInfo.of(c);
            Integer above = info == null ? null : info.keepers.get(field);
            if (above != null) {
                all |= above & ClassInfo.IN_PACKAGE;
                isElsewhere |= c.getClassLoader() != nearest.getClassLoader() || !c.getPackageName().equals(nearest.getPackageName());
            }
            if (info == null && c.getClassLoader() != null) {
                return true;
            }
        }
        return isElsewhere && (all & ClassInfo.IN_PACKAGE) != 0;
    }

    /** The class that the site names. */
    public Class<?> owner() {
        try {
            return Class.forName(owner, false, loader.get());
        } catch (ClassNotFoundException e) {
            throw new NoClassDefFoundError(owner);
        }
    }

    private int resolveIn(Class<?> c) throws ClassNotFoundException {
        for (Class<?> d = c; d != null; d = d.getSuperclass()) {
            Layout layout = Layout.of(d);
            int at = layout.find(field);
            if (at >= 0) {
                boolean isVariable = layout.isStatic(at) == isStatic && layout.slot(at) >= 0;
                return isVariable && isAccessible(c, d, layout.access(at)) ? take(d, layout, at) : pass();
            }
            if (isStatic && isInInterfaces(d)) {
                return pass();
            }
        }
        Session.lost("accesses to " + owner + '.' + field + ": the field's class cannot be looked at");
        return pass();
    }

    /** Fields of interfaces are final. */
    private boolean isInInterfaces(Class<?> c) {
        for (Class<?> i : c.getInterfaces()) {
            if (Layout.of(i).find(field) >= 0 || isInInterfaces(i)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the JVM allows the instruction to access the field; if not, it throws, which must not happen while the
     * variable is locked. {@code c} is the class that the instruction names.
     */
    private boolean isAccessible(Class<?> c, Class<?> d, int access) throws ClassNotFoundException {
        Class<?> from = Class.forName(in, false, loader.get());
        if (from == d && from == c) {
            return true;
        }
        boolean isPackage = from.getClassLoader() == d.getClassLoader() && from.getPackageName().equals(d.getPackageName());
        boolean isMember = Modifier.isPublic(access) || (Modifier.isPrivate(access) ? from.isNestmateOf(d)
            : isPackage || Modifier.isProtected(access) && d.isAssignableFrom(from));
        if (isMember && Reflection.verifyMemberAccess(from, c, null, Modifier.PUBLIC)) {
            return true;
        }
        Session.tolerated("accesses to " + owner + '.' + field + " in " + in + ": the JVM refuses them");
        return false;
    }

    private int take(Class<?> d, Layout layout, int at) {
        try {
            if (isStatic) {
                Field f = layout.reflected(d, field);
                return publish(layout, at, U.staticFieldOffset(f), new WeakReference<>(d), new WeakReference<>(U.staticFieldBase(f)));
            }
            long offset = layout.isAmbiguous(at) ? U.objectFieldOffset(layout.reflected(d, field)) : U.objectFieldOffset(d, Layout.nameOf(field));
            return publish(layout, at, offset, null, null);
        } catch (NoSuchFieldException | LinkageError e) {
            Session.lost("accesses to " + owner + '.' + field + ": " + e);
            return pass();
        }
    }

    /**
     * Stores the result of resolving the site, then, with release, the state. Two threads can come here with the same
     * results; only the first stores them, so that nothing changes after publication. The first check of a read reads
     * the path without the state: it changes once from 0 to its value, and the check fails while it is 0.
     */
    private synchronized int publish(Layout layout, int at, long offset, WeakReference<Class<?>> type, WeakReference<Object> holder) {
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

    private synchronized int pass() {
        if (state == NEW) {
            U.putIntRelease(this, STATE, PASS);
        }
        return state;
    }

    /**
     * Initialises the class of a static field, before its variable is searched for and locked: initialisers are code of
     * the program, with accesses of their own.
     */
    public void initialize() {
        if (!isInitialized && resolved() != PASS) {
            // Not collected: an instruction is about to access its field.
            Class<?> d = declaring.get();
            U.ensureClassInitialized(d);
            isInitialized = !U.shouldBeInitialized(d);
        }
    }

    /** The object that holds the field: {@code o}, or the base object of the class's static fields. */
    public Object holder(Object o) {
        return isStatic ? base.get() : o;
    }
}
