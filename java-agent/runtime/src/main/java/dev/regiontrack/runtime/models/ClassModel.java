package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bodies.Platform;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.memory.Refs;
import dev.regiontrack.runtime.sites.ClassInfo;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.BaseStream;

/** The models of one class's methods. */
public final class ClassModel {
    private static final ClassValue<ClassModel> CLASSES = new ClassValue<ClassModel>() {
        @Override
        protected ClassModel computeValue(Class<?> c) {
            ThreadState t = Threads.current();
            try (Inside inside = t.inside()) {
                return new ClassModel(c);
            }
        }
    };

    /** Classes of objects that only pass calls on, and the field with the target. */
    private static final Map<String, String> WRAPPERS = Map.of("java.util.Collections$UnmodifiableCollection", "c", "java.util.Collections$UnmodifiableMap", "m",
        "java.util.Collections$CheckedCollection", "c", "java.util.Collections$CheckedMap", "m", "java.util.Enumeration$1", "this$0");
    /**
     * Classes of objects that also do something else, or are not equivalent to their contents: the field whose object compares elements, and has
     * them.
     */
    private static final Map<String, String> CONTAINERS = Map.of("java.util.Collections$SynchronizedCollection", "c", "java.util.Collections$SynchronizedMap", "m",
        "java.util.Collections$SetFromMap", "s");
    /** Superclasses of those, whose methods pass calls on in the same way. */
    private static final Set<String> PASSING_ON = Set.of("java.util.Collections$UnmodifiableSet", "java.util.Collections$UnmodifiableList", "java.util.Collections$CheckedSet",
        "java.util.Collections$CheckedList", "java.util.Collections$SynchronizedSet", "java.util.Collections$SynchronizedList");
    /** Classes of immutable collections and maps whose traversal runs no code of the program. */
    private static final Set<String> FIXED = Set.of("java.util.ImmutableCollections$List12", "java.util.ImmutableCollections$ListN",
        "java.util.ImmutableCollections$SubList", "java.util.ImmutableCollections$Set12", "java.util.ImmutableCollections$SetN", "java.util.ImmutableCollections$Map1",
        "java.util.ImmutableCollections$MapN", "java.util.Collections$SingletonList", "java.util.Collections$SingletonSet", "java.util.Collections$SingletonMap");

    /** What is not seen where a field has another name. */
    private static final String CALLS = "calls";
    /** Methods that move the entry that they find, in a map in access order. */
    private static final Set<String> MOVING = Set.of("get", "getOrDefault", "putIfAbsent", "computeIfAbsent", "computeIfPresent", "compute", "merge", "replace");

    final Class<?> type;
    final boolean isPlatform;
    /** The same, and no method calls the program's, as methods of iterators and views do that classes of the program inherit. */
    final boolean isOfPlatformAlone;
    /** Whether {@link LibraryKeys} decides how the objects compare keys. */
    final boolean isOfLibrary;
    final boolean canBeView;
    /** Whether the table names the class itself. */
    final boolean isNamed;
    final boolean isStream;
    /** Whether the objects are immutable, and traversing them runs no code of the program. */
    final boolean isFixed;
    /** Whether an object may be a map in access order, or contain one. */
    final boolean canBeOrdered;
    /** Whether the class is one of the platform's concurrent maps or sets. */
    final boolean isMapOfThreads;
    /** Whether an object can be asked at any time whether it is empty. */
    final boolean isQuiet;
    /** The same for a collection. */
    final boolean isQuietCollection;
    /** For a wrapper: the offset of that field; otherwise 0. */
    private final long wrapped;
    /** For a wrapper or a container: the same; otherwise 0. */
    private final long inside;
    /** For objects that can fetch elements before they return them: the offset of the field that says whether they have; otherwise 0. */
    private final long fetched;
    /** For an iterator over a spliterator: the offset of the spliterator; otherwise 0. */
    private final long spliterator;
    private volatile Effect[] effects = new Effect[16];
    /** For elements: 1 if each is equal to itself alone, -1 if that is not certain, 0 before the first use. */
    private volatile int onlyItself;

    private ClassModel(Class<?> type) {
        this.type = type;
        isStream = BaseStream.class.isAssignableFrom(type);
        boolean isList = Collection.class.isAssignableFrom(type) || Iterator.class.isAssignableFrom(type) || Enumeration.class.isAssignableFrom(type)
            || Map.class.isAssignableFrom(type) || Spliterator.class.isAssignableFrom(type) || isStream;
        isPlatform = isPlatform(type);
        isOfPlatformAlone = isPlatform && !type.getName().startsWith("java.util.Abstract");
        isOfLibrary = !isPlatform && LibraryKeys.isOfLibrary(type);
        isNamed = ModelTable.hasModel(type.getName());
        canBeView = isList && (isPlatform ? ModelTable.canBeView(type.getName()) : isOfLibrary && ModelTable.isView(type.getName()));
        isFixed = FIXED.contains(type.getName());
        isQuiet = Idle.isQuiet(type);
        isQuietCollection = Idle.isQuietCollection(type);
        canBeOrdered = LinkedHashMap.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type) && type.getName().startsWith("java.util.Collections$Synchronized");
        isMapOfThreads = type == ConcurrentHashMap.class || type == ConcurrentSkipListMap.class || type == ConcurrentSkipListSet.class;
        wrapped = canBeView ? offset(type, WRAPPERS) : 0;
        inside = wrapped != 0 || !isList || !isPlatform ? wrapped : offset(type, CONTAINERS);
        boolean isAdapter = canBeView && type.getName().startsWith("java.util.Spliterators$") && type.getName().endsWith("Adapter");
        boolean isBuffer = canBeView && type.getName().startsWith("java.util.stream.StreamSpliterators$") && type.getName().endsWith("WrappingSpliterator");
        fetched = isAdapter ? Fields.offset(type, "valueReady", CALLS) : isBuffer ? Fields.offset(type.getSuperclass(), "buffer", CALLS) : 0;
        spliterator = isAdapter ? Fields.offset(type, "val$spliterator", CALLS) : 0;
    }

    /** Returns the model of a class. */
    static ClassModel of(Class<?> c) {
        return CLASSES.get(c);
    }

    private static long offset(Class<?> type, Map<String, String> fields) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            String field = fields.get(c.getName());
            if (field != null) {
                return Fields.offset(c, field, CALLS);
            }
        }
        return 0;
    }

    /** Whether the objects can fetch elements of a collection before a call returns them. */
    boolean fetches() {
        return fetched != 0;
    }

    /** Whether such an object may have an element already, so that a call need not look at the collection. */
    boolean canHaveFetched(Object o) {
        if (spliterator == 0) {
            return Refs.get(o, fetched) != null;
        }
        Object from = Refs.get(o, spliterator);
        ClassModel source = of(from.getClass());
        return Memory.U.getBoolean(o, fetched) || source.fetches() && source.canHaveFetched(from);
    }

    /** Whether the objects only pass calls on to others. */
    boolean isWrapper() {
        return wrapped != 0;
    }

    /** Returns the object to which a wrapper passes calls on. */
    Object wrapped(Object wrapper) {
        return Refs.get(wrapper, wrapped);
    }

    /** Returns the object inside a wrapper or a container; null for another object. */
    Object inside(Object o) {
        return inside == 0 ? null : Refs.get(o, inside);
    }

    /** Whether objects of the class are equal only if they are the same. */
    boolean isOnlyItself() {
        if (onlyItself == 0) {
            boolean isOverridden = false;
            for (Class<?> c = type; c != Object.class && !isOverridden; c = c.getSuperclass()) {
                isOverridden = declares(c, "equals", "(Ljava/lang/Object;)Z");
            }
            onlyItself = isOverridden ? -1 : 1;
        }
        return onlyItself > 0;
    }

    Effect of(int method) {
        Effect[] known = effects;
        Effect e = method < known.length ? known[method] : null;
        return e != null ? e : find(method);
    }

    private Effect find(int method) {
        ThreadState t = Threads.current();
        try (Inside inside = t.inside()) {
            return found(method, search(ModelTable.name(method)));
        }
    }

    private synchronized Effect found(int method, Effect found) {
        Effect[] all = effects;
        if (method >= all.length) {
            all = java.util.Arrays.copyOf(all, Math.max(method + 1, 2 * all.length));
        }
        all[method] = found;
        effects = all;
        return found;
    }

    /** Loads classes, so it holds no lock. All threads get the same result. */
    private Effect search(String method) {
        int space = method.indexOf(' ');
        int open = method.indexOf('(');
        String name = method.substring(space + 1, open);
        String descriptor = method.substring(open);
        try {
            Class<?> from = from(method.substring(0, Math.max(space, 0)));
            int parameters = parameters(descriptor);
            boolean isObjects = (name.equals("equals") || name.equals("hashCode")) && isObjects(from, name, descriptor);
            Effect found = isObjects ? Effect.NONE : search(from, name, descriptor, parameters);
            if (found == Effect.NONE) {
                return found;
            }
            Effect idling = found.passing(passed(from, name, descriptor, parameters)).idling(Idle.of(type, name, parameters, found));
            return canBeOrdered && MOVING.contains(name) ? idling.moving() : idling;
        } catch (LinkageError | TypeNotPresentException e) {
            // A type is missing: the call itself will throw.
            return Effect.NONE;
        }
    }

    /**
     * Returns what the method that a call reaches does with an argument; null if that is unknown. It is known for the class that declares the method,
     * and for subclasses that inherit it: an overriding method can do anything.
     */
    private ModelTable.Argument[] passed(Class<?> from, String name, String descriptor, int parameters) {
        // What these methods call may be overridden by a class of the program.
        boolean isOpen = !isPlatform && (name.equals("equals") || name.equals("drainTo"));
        int position = ModelTable.position(name, parameters);
        boolean isPassing = position >= 0 && !isOpen && ModelTable.canHaveModel(type(descriptor, position));
        for (Class<?> c = isPassing ? from : null; c != null; c = c.getSuperclass()) {
            ModelTable.Argument[] found = ModelTable.passed(c.getName(), name, parameters);
            if (found != null || declares(c, name, descriptor)) {
                return found == null && (WRAPPERS.containsKey(c.getName()) || CONTAINERS.containsKey(c.getName()) || PASSING_ON.contains(c.getName())) ? ModelTable.INSIDE : found;
            }
        }
        return null;
    }

    /** Returns the rest of the descriptor from the parameter at this position; for an object, its type. */
    private static String type(String descriptor, int position) {
        int at = 1;
        for (int i = 0; i < position; i++) {
            while (descriptor.charAt(at) == '[') {
                at++;
            }
            at = descriptor.charAt(at) == 'L' ? descriptor.indexOf(';', at) + 1 : at + 1;
        }
        return descriptor.charAt(at) == 'L' ? descriptor.substring(at, descriptor.indexOf(';', at) + 1) : descriptor.substring(at);
    }

    /** Whether the call reaches the method of {@code Object}, which looks at nothing. */
    private boolean isObjects(Class<?> from, String name, String descriptor) {
        Class<?> c = from;
        while (c != Object.class && c != null && !declares(c, name, descriptor)) {
            c = c.getSuperclass();
        }
        return c == Object.class;
    }

    /** Counts the parameters of a descriptor. A handle's parameter types are the caller's, so the handle's class does not show them. */
    private static int parameters(String descriptor) {
        int count = 0;
        for (int i = 1; descriptor.charAt(i) != ')'; i++, count++) {
            while (descriptor.charAt(i) == '[') {
                i++;
            }
            i = descriptor.charAt(i) == 'L' ? descriptor.indexOf(';', i) : i;
        }
        return count;
    }

    /**
     * Returns the class from which the called method is searched upwards: the named one if the call is one of a superclass's method, otherwise the
     * receiver's.
     */
    private Class<?> from(String owner) {
        Class<?> c = owner.isEmpty() ? null : type;
        while (c != null && !c.getName().equals(owner)) {
            c = c.getSuperclass();
        }
        return c == null ? type : c;
    }

    /** Whether the call reaches a method of the platform that is watched itself. */
    private boolean isWatchedInside(Class<?> from, String name, String descriptor) {
        for (Class<?> c = Platform.isOn() ? from : null; c != null; c = c.getSuperclass()) {
            if (declares(c, name, descriptor)) {
                return Platform.isWatched(c, type);
            }
        }
        return false;
    }

    /**
     * Finds the nearest entry of a class, otherwise that of an interface, unless the program overrides the method: then it is code like any other.
     * Code that is not watched either does what the interfaces say.
     */
    private Effect search(Class<?> from, String name, String descriptor, int parameters) {
        if (isWatchedInside(from, name, descriptor)) {
            return Effect.NONE;
        }
        boolean isDeclared = false;
        for (Class<?> c = from; c != null && !isDeclared; c = c.getSuperclass()) {
            Effect found = ModelTable.of(c, name, parameters);
            if (found != null) {
                return found;
            }
            isDeclared = !isPlatform(c) && declares(c, name, descriptor);
            if (isDeclared && ClassInfo.of(c) != null) {
                return Effect.NONE;
            }
        }
        Effect view = canBeView ? ModelTable.ofView(type, name, parameters) : null;
        if (view != null) {
            return view;
        }
        Effect found = ModelTable.ofInterfaces(from, name, parameters);
        return found == null || !isDeclared && isWatchedDefault(from, name, descriptor) ? Effect.NONE : found;
    }

    /** Whether an interface above, whose code is watched, has a body for the method. */
    private boolean isWatchedDefault(Class<?> from, String name, String descriptor) {
        for (Class<?> c = from; c != null; c = c.getSuperclass()) {
            for (Class<?> i : c.getInterfaces()) {
                boolean isWatched = ClassInfo.of(i) != null && !isPlatform(i);
                if (isWatched && hasBody(i, name, descriptor) || isWatchedDefault(i, name, descriptor)) {
                    return true;
                }
            }
        }
        return false;
    }

    static boolean isPlatform(Class<?> c) {
        ClassLoader loader = c.getClassLoader();
        return loader == null || loader == ClassLoader.getPlatformClassLoader();
    }

    private boolean declares(Class<?> c, String name, String descriptor) {
        return declares(c, name, descriptor, 0);
    }

    private boolean hasBody(Class<?> c, String name, String descriptor) {
        return declares(c, name, descriptor, Modifier.ABSTRACT);
    }

    /** Whether the class declares the method, without these modifiers. */
    private boolean declares(Class<?> c, String name, String descriptor, int without) {
        Class<?>[] parameters = MethodType.fromMethodDescriptorString(descriptor, type.getClassLoader()).parameterArray();
        try {
            Method method = c.getDeclaredMethod(name, parameters);
            return (method.getModifiers() & without) == 0;
        } catch (NoSuchMethodException e) {
            return false;
        } catch (LinkageError | RuntimeException e) {
            // The class's methods are unknown: a type is missing, or a security manager is in the way.
            return true;
        }
    }
}
