package dev.regiontrack.runtime.sites;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.memory.WeakTable;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What the instrumenter knows about a class before it is defined; found by the class's loader and name. */
public final class ClassInfo {
    /** Name of the field that points to the shadow. */
    public static final String SHADOW = "$regiontrack$shadow";
    /** Prefix of the names of the methods that make the calls of method references. */
    public static final String REFERENCE = "$regiontrack$reference$";
    /** What a method lets an array argument do: it can escape; it stays and is accessed; it stays and is not accessed. */
    public static final int LEAVES = 1;
    public static final int TOUCHES = 2;
    public static final int IGNORES = 3;
    /** The method is private: a call that names its class reaches it, whatever the receiver's class declares. */
    public static final int HIDDEN = 0;
    /** Added to one of these if the method is not public or protected, so that only methods of its package override it. */
    public static final int IN_PACKAGE = 4;
    /** Added to {@link #TOUCHES} if the class has a copy of the method for calls that lend it this array and no other. */
    public static final int COPIED = 8;
    /** Added to {@link #LEAVES} if all that a method does, for {@link #NO_PARAMETER}, is to read and to try a {@code compareAndSet}. */
    public static final int TRIES = 8;
    /** Stands for no parameter: the site asks what the method does at all. */
    public static final int NO_PARAMETER = -1;
    static final String NONE_OF_THEM = ":" + NO_PARAMETER;
    /** Mask of the lowest bits of an entry of {@link #pure}. */
    private static final int DOES = 15;
    /** Prefix of the name of a static method's parameter. */
    static final String STATIC = "static ";
    /** For a class that is not instrumented. */
    static final ClassInfo NONE = new ClassInfo("", new String[0], new String[0], new int[0], false, Set.of(), Map.of(), new long[0], Map.of(), Set.of(), Map.of());

    private static final WeakTable LOADERS = new WeakTable();
    private static final int FINAL = java.lang.reflect.Modifier.FINAL;
    /** The longest chain of constructor calls that is followed: a class file can have a cycle. */
    private static final int MOST_CALLS = 64;

    /** Internal name of its superclass; empty if it is not known. */
    final String superName;
    /** Internal names of its interfaces. */
    final String[] interfaces;
    /** Names and descriptors of the fields, {@code name:descriptor}, in the class file's order. */
    public final String[] fields;
    /** Their access flags. */
    public final int[] access;
    /** Whether the class got the shadow field. */
    public final boolean hasShadow;
    /** The fields, in the same form, that are as good as final: only constructors write them, while no other thread can reach the object. */
    public final Set<String> constructed;

    /**
     * Array parameters, by {@link #parameter}, and what the method lets them do: for static methods and constructors, parameters that do not escape;
     * for other methods, all.
     */
    final Map<String, Integer> keepers;
    /**
     * What methods do: {@link #LEAVES} if they may have an effect, perhaps with {@link #TRIES}; {@link #TOUCHES} if they only read and compute, {@link #IGNORES} if they read
     * nothing that can change; with {@link #IN_PACKAGE}. In the lowest bits, below a hash of the name; sorted. Contains all methods that a receiver
     * can select.
     */
    private final long[] pure;
    /**
     * By descriptor, constructors that keep their object nowhere but pass it to one other constructor: that one's class, a space, its
     * descriptor. Empty for a class that has a finalizer.
     */
    final Map<String, String> constructors;
    /** Methods, by name and descriptor, of which the class has copies for calls that lend them arrays. */
    final Set<String> borrowers;
    /** Methods that make the calls of method references, by callee; the values are their names. */
    final Map<String, String> references;
    /** Whether hooks were left out because of {@link #constructors}. */
    volatile boolean isReliedOn;
    /** Whether the class's code has changed since {@link #keepers} was computed. */
    volatile boolean isRedefined;

    public ClassInfo(String superName, String[] interfaces, String[] fields, int[] access, boolean hasShadow, Set<String> constructed, Map<String, Integer> keepers,
            long[] pure, Map<String, String> constructors, Set<String> borrowers, Map<String, String> references) {
        this.superName = superName;
        this.interfaces = interfaces;
        this.borrowers = borrowers;
        this.references = references;
        this.constructors = constructors;
        this.keepers = keepers;
        this.pure = pure;
        this.fields = fields;
        this.access = access;
        this.hasShadow = hasShadow;
        this.constructed = constructed;
    }

    /** Formats a field as in {@link #fields}. */
    public static String field(String name, String desc) {
        return name + ':' + desc;
    }

    /** Whether accesses to the field are no events. */
    public boolean isConstant(int index) {
        return (access[index] & FINAL) != 0 || constructed.contains(fields[index]);
    }

    /** Stores the information; {@code name} is in the binary form, with dots. */
    public static void put(ClassLoader loader, String name, ClassInfo info) {
        map(loader).put(name, info);
    }

    /** Removes the information: the class is not instrumented after all. */
    public static void remove(ClassLoader loader, String name) {
        map(loader).remove(name);
    }

    /** Called before the code of the class changes. */
    public static void redefine(ClassLoader loader, String name) {
        ClassInfo info = map(loader).get(name);
        if (info != null) {
            info.isRedefined = true;
        }
    }

    /**
     * The same, if it is known what the new constructors keep, and which fields the new methods write. A constructor that passes its object on before
     * it writes such a field is tolerated: other agents add calls to constructors.
     */
    public static void redefine(ClassLoader loader, String name, Map<String, String> constructors, Set<String> written) {
        ClassInfo info = map(loader).get(name);
        if (info != null && !java.util.Collections.disjoint(info.constructed, written)) {
            Session.lost("accesses to fields of " + name + " that its constructors alone wrote, before it was redefined");
        }
        if (info != null && info.isReliedOn && !constructors.entrySet().containsAll(info.constructors.entrySet())) {
            Session.lost("accesses to new objects of " + name + ": a constructor that was redefined may give them to others");
        }
    }

    /** Whether an object of the class that this constructor has made is reachable from nowhere else once it has returned. */
    static boolean keepsNothing(Class<?> type, String constructor) {
        Class<?> c = type;
        String desc = constructor;
        while (c != Object.class) {
            ClassInfo info = of(c);
            String next = info == null ? null : info.constructors.get(desc);
            if (next == null) {
                return false;
            }
            // Set before the check, while redefine sets first and checks then: one of them sees the other.
            info.isReliedOn = true;
            int end = next.indexOf(' ');
            boolean isAbove = !next.substring(0, end).equals(c.getName());
            c = isAbove ? c.getSuperclass() : c;
            desc = next.substring(end + 1);
            if (info.isRedefined || !c.getName().equals(next.substring(0, end))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether a constructor, given by its class, a space and its descriptor, and those that it calls, keep their object nowhere, as far as is known
     * before the asking class is defined.
     */
    public static boolean keepsNothing(ClassLoader loader, String constructor) {
        Map<String, ClassInfo> infos = loader == null ? Map.of() : map(loader);
        String next = constructor;
        for (int i = 0; next != null && i < MOST_CALLS; i++) {
            int end = next.indexOf(' ');
            String owner = next.substring(0, end);
            if (owner.equals("java.lang.Object")) {
                return true;
            }
            ClassInfo info = infos.get(owner);
            next = info == null ? null : info.constructors.get(next.substring(end + 1));
            if (next != null) {
                // The same order as above.
                info.isReliedOn = true;
                next = info.isRedefined ? null : next;
            }
        }
        return false;
    }

    /** Whether a loaded class has the field for shadows, which cannot change. */
    public static boolean hasShadow(ClassLoader loader, String name) {
        ClassInfo info = map(loader).get(name);
        return info != null && info.hasShadow;
    }

    /** The fields of a loaded class that are as good as final, which cannot change. */
    public static Set<String> constructed(ClassLoader loader, String name) {
        ClassInfo info = map(loader).get(name);
        return info == null ? Set.of() : info.constructed;
    }

    /** The copies of methods in a loaded class, which cannot change. */
    public static Set<String> borrowers(ClassLoader loader, String name) {
        ClassInfo info = map(loader).get(name);
        return info == null ? Set.of() : info.borrowers;
    }

    /** The methods that make the calls of method references in a loaded class, which cannot change either. */
    public static Map<String, String> references(ClassLoader loader, String name) {
        ClassInfo info = map(loader).get(name);
        return info == null ? Map.of() : info.references;
    }

    /** Returns the name of a method's parameter. A constructor is named like a static method, because no receiver selects it. */
    public static String parameter(boolean isStatic, String method, String desc, int parameter) {
        return (isStatic ? STATIC : "") + method + desc + ':' + parameter;
    }

    /** Returns an entry of {@link #pure} for a method that does this. */
    public static long pure(boolean isStatic, String method, String desc, int does) {
        // The hash of the name of the parameter, which is not made.
        long hash = hash(hash(hash(0, isStatic ? STATIC : ""), method), desc);
        return hash(hash, NONE_OF_THEM) & ~(long) DOES | does;
    }

    /** Returns the hash of a text that ends with this, from that of what is before. */
    private static long hash(long before, String name) {
        long hash = before;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * 0x9e3779b97f4a7c15L;
            hash ^= hash >>> 29;
        }
        return hash;
    }

    /**
     * Returns what a method of the class does with a parameter, or at all: the name is that of a {@link #parameter}. Null if it is unknown, or there
     * is no such method.
     */
    Integer does(String parameter) {
        if (!parameter.endsWith(NONE_OF_THEM)) {
            return keepers.get(parameter);
        }
        long least = hash(0, parameter) & ~(long) DOES;
        int found = Arrays.binarySearch(pure, least);
        int at = found < 0 ? -found - 1 : found;
        return at < pure.length && (pure[at] & ~(long) DOES) == least ? Integer.valueOf((int) pure[at] & DOES) : null;
    }

    /** Returns the internal name of an instrumented class's superclass; null for another class. */
    public static String superclass(ClassLoader loader, String name) {
        ClassInfo info = map(loader).get(name);
        return info == null ? null : info.superName;
    }

    /** Returns the internal names of the interfaces of an instrumented class, or of an interface; null for another class. */
    public static String[] interfaces(ClassLoader loader, String name) {
        ClassInfo info = map(loader).get(name);
        return info == null ? null : info.interfaces;
    }

    /** Whether the class is instrumented. */
    public static boolean isKnown(ClassLoader loader, String name) {
        return map(loader).containsKey(name);
    }

    public static ClassInfo of(Class<?> c) {
        ClassLoader loader = c.getClassLoader();
        return loader == null ? null : map(loader).get(c.getName());
    }

    @SuppressWarnings("unchecked")
    private static ConcurrentHashMap<String, ClassInfo> map(ClassLoader loader) {
        Object found = LOADERS.find(loader);
        return (ConcurrentHashMap<String, ClassInfo>) (found != null ? found : LOADERS.put(loader, new ConcurrentHashMap<String, ClassInfo>()));
    }

    /** Returns the index of a field, or -1. */
    public int find(String field) {
        for (int i = 0; i < fields.length; i++) {
            if (fields[i].equals(field)) {
                return i;
            }
        }
        return -1;
    }
}
