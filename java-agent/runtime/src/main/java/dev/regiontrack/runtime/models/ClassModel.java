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

/** What calls of methods of one class do. */
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

    /** Classes of objects that only pass calls on, and the field with the object to which they do. */
    private static final Map<String, String> WRAPPERS = Map.of("java.util.Collections$UnmodifiableCollection", "c", "java.util.Collections$UnmodifiableMap", "m",
        "java.util.Collections$CheckedCollection", "c", "java.util.Collections$CheckedMap", "m", "java.util.Enumeration$1", "this$0");
    /** The same of those that do something besides, or are not taken for what they have inside: what they compare, and what has their elements, is in there. */
    private static final Map<String, String> CONTAINERS = Map.of("java.util.Collections$SynchronizedCollection", "c", "java.util.Collections$SynchronizedMap", "m",
        "java.util.Collections$SetFromMap", "s");
    /** Classes above those, whose methods pass calls on in the same way. */
    private static final Set<String> PASSING_ON = Set.of("java.util.Collections$UnmodifiableSet", "java.util.Collections$UnmodifiableList", "java.util.Collections$CheckedSet",
        "java.util.Collections$CheckedList", "java.util.Collections$SynchronizedSet", "java.util.Collections$SynchronizedList");
    /** Classes of collections and maps that nobody can change, to go through which runs no code of the program. */
    private static final Set<String> FIXED = Set.of("java.util.ImmutableCollections$List12", "java.util.ImmutableCollections$ListN",
        "java.util.ImmutableCollections$SubList", "java.util.ImmutableCollections$Set12", "java.util.ImmutableCollections$SetN", "java.util.ImmutableCollections$Map1",
        "java.util.ImmutableCollections$MapN", "java.util.Collections$SingletonList", "java.util.Collections$SingletonSet", "java.util.Collections$SingletonMap");

    /** What is not seen where a field has another name. */
    private static final String CALLS = "calls";
    /** Methods that move the entry which they find, in a map in the order of accesses. */
    private static final Set<String> MOVING = Set.of("get", "getOrDefault", "putIfAbsent", "computeIfAbsent", "computeIfPresent", "compute", "merge", "replace");

    final Class<?> type;
    final boolean isPlatform;
    /** The same, and no method calls one of the program's, as those of iterators and views do that classes of the program inherit. */
    final boolean isOfPlatformAlone;
    /** It is for {@link LibraryKeys} to say how the objects compare keys. */
    final boolean isOfLibrary;
    final boolean canBeView;
    /** The class stands in the table itself. */
    final boolean isNamed;
    final boolean isStream;
    /** Nobody can change what is in the object, and going through it runs no code of the program. */
    final boolean isFixed;
    /** An object can be a map in the order of accesses, or have one inside. */
    final boolean canBeOrdered;
    /** A map or a set of the platform that is made for threads. */
    final boolean isMapOfThreads;
    /** An object can be asked at any time whether it is empty. */
    final boolean isQuiet;
    /** The same of a collection. */
    final boolean isQuietCollection;
    /** Of a wrapper: the offset of that field; otherwise 0. */
    private final long wrapped;
    /** Of a wrapper or a container: the same; otherwise 0. */
    private final long inside;
    /** Of what can fetch elements before it returns them: the offset of the field that says whether it has; otherwise 0. */
    private final long fetched;
    /** Of an iterator over a spliterator: the offset of that; otherwise 0. */
    private final long spliterator;
    private volatile Effect[] effects = new Effect[16];
    /** Of elements: 1 if each is equal to itself alone, -1 if that is not certain, 0 before anybody has asked. */
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

    /** That of a class. */
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

    /** True if the objects can have fetched elements of a collection before a call returns them. */
    boolean fetches() {
        return fetched != 0;
    }

    /** True if such an object can have an element already, so that it is not certain that a call looks at the collection. */
    boolean canHaveFetched(Object o) {
        if (spliterator == 0) {
            return Refs.get(o, fetched) != null;
        }
        Object from = Refs.get(o, spliterator);
        ClassModel source = of(from.getClass());
        return Memory.U.getBoolean(o, fetched) || source.fetches() && source.canHaveFetched(from);
    }

    /** True if the objects only pass calls on to others. */
    boolean isWrapper() {
        return wrapped != 0;
    }

    /** The object to which a wrapper passes calls on. */
    Object wrapped(Object wrapper) {
        return Refs.get(wrapper, wrapped);
    }

    /** What a wrapper or a container has inside; null of another object. */
    Object inside(Object o) {
        return inside == 0 ? null : Refs.get(o, inside);
    }

    /** True if nothing decides whether objects of the class are equal but whether they are the same. */
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
            // A type is missing: the call itself will say so.
            return Effect.NONE;
        }
    }

    /**
     * What the method that a call reaches does with an argument; null if nothing is known of that. It is known of the class that declares the method, or of one below
     * that inherits it: another one that overrides it can do anything.
     */
    private ModelTable.Argument[] passed(Class<?> from, String name, String descriptor, int parameters) {
        // What those call can be overridden by a class of the program.
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

    /** What the descriptor has from the type of the parameter at this position on; of an object, that type. */
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

    /** True if the call reaches the method of {@code Object}, which looks at nothing. */
    private boolean isObjects(Class<?> from, String name, String descriptor) {
        Class<?> c = from;
        while (c != Object.class && c != null && !declares(c, name, descriptor)) {
            c = c.getSuperclass();
        }
        return c == Object.class;
    }

    /** How many parameters a descriptor has. The types of a handle's are the caller's, which cannot be found from the handle's class. */
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

    /** The class whose method a call reaches, or its superclass's: that of this name if the call is one of a superclass's method, otherwise the receiver's. */
    private Class<?> from(String owner) {
        Class<?> c = owner.isEmpty() ? null : type;
        while (c != null && !c.getName().equals(owner)) {
            c = c.getSuperclass();
        }
        return c == null ? type : c;
    }

    /** True if the call reaches a method of the platform that is watched itself. */
    private boolean isWatchedInside(Class<?> from, String name, String descriptor) {
        for (Class<?> c = Platform.isOn() ? from : null; c != null; c = c.getSuperclass()) {
            if (declares(c, name, descriptor)) {
                return Platform.isWatched(c, type);
            }
        }
        return false;
    }

    /**
     * The nearest entry of a class, otherwise that of an interface, unless the program overrides the method: then that is code like any other. Code that is
     * not watched either does what the interfaces say.
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

    /** True if an interface above, whose code is watched, has a body for the method. */
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

    /** True if the class declares the method, without these modifiers. */
    private boolean declares(Class<?> c, String name, String descriptor, int without) {
        Class<?>[] parameters = MethodType.fromMethodDescriptorString(descriptor, type.getClassLoader()).parameterArray();
        try {
            Method method = c.getDeclaredMethod(name, parameters);
            return (method.getModifiers() & without) == 0;
        } catch (NoSuchMethodException e) {
            return false;
        } catch (LinkageError | RuntimeException e) {
            // Its methods cannot be known: a type is missing, or a security manager is in the way.
            return true;
        }
    }
}
