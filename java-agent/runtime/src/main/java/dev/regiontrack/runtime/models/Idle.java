package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.memory.Refs;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import java.util.BitSet;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Spliterator;
import jdk.internal.vm.annotation.DontInline;

/**
 * Calls that, with some arguments, do not look at their receiver: {@code list.equals("x")}, {@code map.putAll(Map.of())}. Such a call is no event. An
 * {@link Effect} says to which of these kinds a call belongs, if any.
 *
 * <p>If the effect depends on whether the argument has elements, it is certain only if the argument is immutable. For calls that write, it also
 * counts as certain if the argument is of one of some classes of the platform and is not empty, both before and after the call. Another thread would
 * have to empty and refill it during the call, which has found it empty in between. Without this rule no {@code putAll} of a {@code HashMap} would be
 * a write.
 */
enum Idle {
    /** Compares the receiver with another object: does nothing if that is the receiver itself, or is of another kind. */
    EQUALS,
    /** Looks at the elements, unless the method is that of {@code Object}. */
    HASH,
    /** Has found nothing if it returned true, or false, and the argument was empty. */
    TRUE_IF_EMPTY, FALSE_IF_EMPTY,
    /** Writes what is in the argument. */
    WRITES_ALL,
    /** The same, but does nothing if the argument is the receiver itself. */
    WRITES_OTHER,
    /** Acts on any argument except the receiver itself. */
    NOT_ITSELF,
    /** Looks for its argument, unless that is null. */
    NULL,
    /** Looks for its argument, unless that is no constant of the enum. */
    CONSTANT,
    /** Looks for all elements of an argument: stops at one that is no constant. Does nothing for a set of constants of another enum. */
    CONSTANTS, OTHER_CONSTANTS,
    /** Has an effect unless the range of its arguments is empty. */
    RANGE,
    /** Appends a text, unless that is empty. */
    EMPTY_TEXT,
    /** Has an effect unless its number is 0 or less. */
    NUMBER,
    /** Has reached an element if it returned true, and otherwise knows from its first step that there is none left. */
    STEP,
    /** Goes over the rest, unless there is none, which the receiver, an iterator, knows from its last step. */
    REST,
    /** Has an effect unless its number, of copies of an element to add or remove, is 0. */
    ZERO,
    /** In collections of Guava: looks for its argument, unless that cannot be a key there, or a value. */
    LIBRARY_KEY, LIBRARY_VALUE,
    /** The same for all elements of an argument: has looked for them only if it returned true. */
    LIBRARY_KEYS,
    /** Changes something unless the range is empty; or unless the receiver, a queue, has no room at all. */
    EMPTY_RANGE, NO_ROOM,
    /** Makes a step, unless it returns the same element once more. */
    REPEATED,
    /** Has looked for something, or changed it, only if it returned true, or an object. */
    FOUND;

    /**
     * Classes whose objects can be asked at any time whether they are empty: asking takes no lock, has no visible effect and runs no code of the
     * program.
     */
    private static final Set<String> QUIET = Set.of("java.util.HashMap", "java.util.LinkedHashMap", "java.util.TreeMap", "java.util.IdentityHashMap", "java.util.EnumMap",
        "java.util.concurrent.ConcurrentHashMap", "java.util.concurrent.ConcurrentSkipListMap", "java.util.BitSet");

    /** The same for collections. */
    private static final Set<String> QUIET_COLLECTIONS = Set.of("java.util.ArrayList", "java.util.LinkedList", "java.util.ArrayDeque", "java.util.PriorityQueue",
        "java.util.HashSet", "java.util.LinkedHashSet", "java.util.RegularEnumSet", "java.util.JumboEnumSet", "java.util.concurrent.CopyOnWriteArrayList",
        "java.util.concurrent.CopyOnWriteArraySet");

    /** Classes that contain no null, and do not look for it. */
    private static final Set<String> WITHOUT_NULL = Set.of("java.util.ArrayDeque", "java.util.PriorityQueue", "java.util.concurrent.ConcurrentLinkedQueue",
        "java.util.concurrent.ConcurrentLinkedDeque", "java.util.concurrent.ArrayBlockingQueue", "java.util.concurrent.LinkedBlockingQueue",
        "java.util.concurrent.LinkedBlockingDeque", "java.util.concurrent.LinkedTransferQueue", "java.util.concurrent.PriorityBlockingQueue",
        "com.google.common.collect.AbstractTable$Values", "com.google.common.collect.Maps$KeySet", "com.google.common.collect.Maps$SortedKeySet",
        "com.google.common.collect.StandardTable$ColumnKeySet", "com.google.common.collect.StandardTable$RowMap",
        "com.google.common.collect.StandardRowSortedTable$RowSortedMap", "com.google.common.collect.StandardTable$ColumnMap");
    private static final long ELEMENTS = Fields.offset(EnumSet.class, "elementType", "what calls look for");
    static final long KEYS = Fields.offset(EnumMap.class, "keyType", "what calls look for");

    /** By class of an iterator: the field with the next element. */
    private static final Map<String, String> ITERATORS = Map.of("java.util.HashMap$HashIterator", "next", "java.util.LinkedHashMap$LinkedHashIterator", "next",
        "java.util.TreeMap$PrivateEntryIterator", "next", "java.util.ArrayDeque$DeqIterator", "remaining");
    /** By class of such an iterator: the offset of that field; for others 0. */
    private static final ClassValue<Long> NEXT = new ClassValue<Long>() {
        @Override
        protected Long computeValue(Class<?> type) {
            for (Class<?> c = type; c != null; c = c.getSuperclass()) {
                String field = ITERATORS.get(c.getName());
                if (field != null) {
                    return Fields.offset(c, field, "steps");
                }
            }
            return 0L;
        }
    };

    /** Whether objects of this class are collections that can be asked whether they are empty. */
    static boolean isQuietCollection(Class<?> type) {
        return QUIET_COLLECTIONS.contains(type.getName());
    }

    /** Whether objects of this class can be asked whether they are empty. */
    static boolean isQuiet(Class<?> type) {
        return QUIET.contains(type.getName());
    }

    /** Returns the kind of a call with this effect on an object of this class; null if such a call always has its effect. */
    static Idle of(Class<?> type, String name, int parameters, Effect effect) {
        boolean isFound = effect.kind == Effect.Kind.READ && effect.part == Effect.Part.WHOLE && effect.when == Effect.When.NONNULL;
        Idle ofLibrary = isFound ? FOUND : ModelTable.isOfLibrary(type.getName()) ? LibraryArguments.of(type, name + '/' + parameters) : null;
        return ofLibrary != null ? ofLibrary : ofAny(type, name, parameters, effect);
    }

    private static Idle ofAny(Class<?> type, String name, int parameters, Effect effect) {
        boolean isWhole = effect.part == Effect.Part.WHOLE || effect.isOfQueue;
        boolean isRead = isWhole && effect.kind == Effect.Kind.READ;
        boolean isWrite = isWhole && effect.kind == Effect.Kind.WRITE;
        boolean isOfBits = BitSet.class.isAssignableFrom(type);
        switch (name + '/' + parameters) {
            case "equals/1": return EQUALS;
            case "hashCode/0": return HASH;
            case "containsAll/1": return !isRead ? null : EnumSet.class.isAssignableFrom(type) && ELEMENTS != 0 ? CONSTANTS : TRUE_IF_EMPTY;
            case "removeAll/1": return EnumSet.class.isAssignableFrom(type) && ELEMENTS != 0 ? OTHER_CONSTANTS
                : isWrite && ModelTable.isOfLibrary(type.getName()) ? FALSE_IF_EMPTY : null;
            case "contains/1": case "removeFirstOccurrence/1": case "removeLastOccurrence/1": return ofOne(type);
            case "get/1": case "containsKey/1":
                return EnumMap.class.isAssignableFrom(type) && KEYS != 0 ? CONSTANT : WITHOUT_NULL.contains(type.getName()) ? NULL : null;
            case "getOrDefault/2": case "remove/2": return EnumMap.class.isAssignableFrom(type) && KEYS != 0 ? CONSTANT : null;
            case "remove/1": return EnumMap.class.isAssignableFrom(type) && KEYS != 0 ? CONSTANT : ofOne(type);
            case "tryAdvance/1": return isRead && Spliterator.class.isAssignableFrom(type) && !type.getName().startsWith("java.util.stream.") ? STEP : null;
            case "forEachRemaining/1": return isRead && NEXT.get(type) != 0 ? REST : null;
            case "drainTo/2": return effect.isOfQueue ? NUMBER : null;
            case "delete/2": return type == StringBuilder.class || type == StringBuffer.class ? RANGE : null;
            // Without a lock it counts the characters anew, and a change in between is lost.
            case "append/1": return type == StringBuffer.class ? EMPTY_TEXT : null;
            case "set/2": case "set/3": case "flip/2": case "clear/2": return isOfBits ? RANGE : null;
            case "addAll/1": case "addAllAbsent/1": return isWrite ? FALSE_IF_EMPTY : null;
            case "putAll/1": return !isWrite ? null : effect.when == Effect.When.ALWAYS ? WRITES_ALL : FALSE_IF_EMPTY;
            case "or/1": return isOfBits ? WRITES_OTHER : null;
            case "intersects/1": return isOfBits ? FALSE_IF_EMPTY : null;
            case "xor/1": case "andNot/1": return isOfBits ? WRITES_ALL : null;
            case "and/1": return isOfBits ? NOT_ITSELF : null;
            default: return null;
        }
    }

    private static Idle ofOne(Class<?> type) {
        return WITHOUT_NULL.contains(type.getName()) ? NULL : EnumSet.class.isAssignableFrom(type) && ELEMENTS != 0 ? CONSTANT : null;
    }

    /**
     * Whether a call has no effect at all. {@code o} is its receiver, {@code of} the object to which the receiver passes the call on, or {@code o}
     * again.
     */
    @DontInline
    boolean isNothing(Object o, Object of, Object argument, long number, int method) {
        switch (this) {
            case EQUALS: return isObjects(o, of, method) || !isOfKind(of, argument) || isWithin(argument, o);
            case HASH: return isObjects(o, of, method);
            case WRITES_OTHER: case NOT_ITSELF: return argument == of;
            case NULL: return argument == null;
            case CONSTANT: return !isConstant(argument, Refs.get(of, of instanceof EnumSet ? ELEMENTS : KEYS));
            case CONSTANTS: case OTHER_CONSTANTS: return areApart(of, argument);
            case RANGE: return number >>> 32 == (int) number + 1L;
            case EMPTY_TEXT: return "".equals(argument);
            case NUMBER: return number <= 0;
            case REST: return isOver(of);
            case ZERO: return number == 0;
            case LIBRARY_KEY: return number == 0 || !LibraryArguments.canBeKey(of, argument);
            case LIBRARY_VALUE: return !LibraryArguments.canBeValue(of, argument);
            case EMPTY_RANGE: return !LibraryArguments.isFilled(argument);
            case NO_ROOM: return !LibraryArguments.hasRoom(of);
            case REPEATED: return !LibraryArguments.isNewElement(of);
            default: return false;
        }
    }

    /** Whether both are sets of enums, but perhaps of different ones: then they need not look at each other. */
    static boolean areApart(Object of, Object argument) {
        return of instanceof EnumSet && argument instanceof EnumSet && (ELEMENTS == 0 || Refs.get(of, ELEMENTS) != Refs.get(argument, ELEMENTS));
    }

    private static boolean isOver(Object iterator) {
        long next = NEXT.get(iterator.getClass());
        boolean counts = iterator.getClass().getName().startsWith("java.util.ArrayDeque$");
        return counts ? Memory.U.getInt(iterator, next) <= 0 : Refs.get(iterator, next) == null;
    }

    /** A constant with a body has a class of its own. */
    static boolean isConstant(Object argument, Object type) {
        return argument != null && (argument.getClass() == type || argument.getClass().getSuperclass() == type);
    }

    /** Whether the receiver is a wrapper whose method is that of {@code Object}. */
    private static boolean isObjects(Object o, Object of, int method) {
        return o != of && ClassModel.of(o.getClass()).of(method) == Effect.NONE;
    }

    /** Whether a call of {@code equals} looks at such an argument. */
    private static boolean isOfKind(Object of, Object argument) {
        return of instanceof List ? argument instanceof List : of instanceof Set ? argument instanceof Set : of instanceof Map ? argument instanceof Map
            : of instanceof BitSet ? argument instanceof BitSet : argument != null;
    }

    /** Whether the argument is {@code o}, or what {@code o} passes the call on to. */
    private static boolean isWithin(Object argument, Object o) {
        Object of = o;
        while (of != null && of != argument) {
            of = ClassModel.of(of.getClass()).inside(of);
        }
        return of != null;
    }

    /** Whether the effect of a call depends on whether its argument has elements. */
    boolean needsElements(Object of, Object argument) {
        // What a call does with its receiver as argument depends on the contents.
        boolean canNeed = writes() || this == LIBRARY_KEYS || this == STEP || this == TRUE_IF_EMPTY || this == FALSE_IF_EMPTY;
        return this == FOUND || argument != of && (canNeed || this == CONSTANTS && !(argument instanceof EnumSet));
    }

    private boolean writes() {
        return this == WRITES_ALL || this == WRITES_OTHER;
    }

    /** Whether a call with this result has looked at the receiver, or changed it, whatever the argument was. */
    boolean isCertain(boolean result) {
        return this == TRUE_IF_EMPTY ? !result : (this == FALSE_IF_EMPTY || this == STEP || this == FOUND) && result;
    }

    /** Whether a call with this result may have looked at the receiver, if the argument has elements. */
    boolean canBe(boolean result) {
        return this != CONSTANTS && this != LIBRARY_KEYS || result;
    }

    /** Returns the object with the elements of this argument, if it can be certain that there are some; otherwise null. */
    Object elements(Object argument) {
        Object of = this == FOUND ? null : argument;
        for (Object next = of; next != null; next = ClassModel.of(next.getClass()).inside(next)) {
            of = next;
        }
        if (of == null) {
            return null;
        }
        ClassModel model = ClassModel.of(of.getClass());
        return model.isFixed || model.isQuiet && (writes() || of instanceof BitSet) ? of : null;
    }

    /** Whether there are elements now. The object is from {@link #elements}. */
    static boolean isFilled(Object elements, ThreadState t) {
        if (elements == null) {
            return false;
        }
        try (Inside inside = t.inside()) {
            return !(elements instanceof Collection ? ((Collection<?>) elements).isEmpty() : elements instanceof Map ? ((Map<?, ?>) elements).isEmpty()
                : ((BitSet) elements).isEmpty());
        }
    }
}
