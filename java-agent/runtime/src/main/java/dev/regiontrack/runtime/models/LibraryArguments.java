package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.memory.Refs;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds the arguments with which calls of Guava's collections do nothing ({@link Idle}): those that cannot be among the keys, an empty range. Reads
 * fields, and calls no method of the library or of the program. If a version of the library has no such field, or the case is not certain, the call
 * counts as having no effect.
 */
final class LibraryArguments {
    private static final String GUAVA = "com.google.common.collect.";
    private static final String MULTISET = GUAVA + "EnumMultiset";
    private static final String BI_MAP = GUAVA + "AbstractBiMap";
    private static final String RANGE = GUAVA + "Range";
    private static final String CUT = GUAVA + "Cut";
    private static final ClassValue<Long> ENUM = LibraryViews.offsets(Map.of(MULTISET, "type"));
    private static final ClassValue<Long> DELEGATE = LibraryViews.offsets(Map.of(BI_MAP, "delegate"));
    private static final ClassValue<Long> INVERSE = LibraryViews.offsets(Map.of(BI_MAP, "inverse"));
    private static final ClassValue<Long> LOWER = LibraryViews.offsets(Map.of(RANGE, "lowerBound"));
    private static final ClassValue<Long> UPPER = LibraryViews.offsets(Map.of(RANGE, "upperBound"));
    private static final ClassValue<Long> ENDPOINT = LibraryViews.offsets(Map.of(CUT, "endpoint"));
    private static final ClassValue<Long> SIZE = LibraryViews.offsets(Map.of(GUAVA + "EvictingQueue", "maxSize"));
    /** By class of an iterator over a multiset: the field with how often it returns the last element again. */
    private static final ClassValue<Long> AGAIN = LibraryViews.offsets(Map.of(GUAVA + "AbstractMapBasedMultiset$MapBasedMultisetIterator", "occurrencesLeft",
        GUAVA + "Multisets$MultisetIteratorImpl", "laterCount"));

    private LibraryArguments() {
    }

    /**
     * Returns the kind of a call of a method, a name and the number of parameters, on an object of this class of the library; null if it is as for
     * any collection.
     */
    static Idle of(Class<?> type, String method) {
        boolean isOfEnum = type.getName().equals(MULTISET);
        boolean isBiMap = extendsClass(type, BI_MAP);
        switch (method) {
            case "count/1": case "contains/1": return isOfEnum ? Idle.LIBRARY_KEY : null;
            case "remove/1": return isOfEnum || isBiMap ? Idle.LIBRARY_KEY : isOfRanges(type) ? Idle.EMPTY_RANGE : null;
            case "remove/2": return isOfEnum || isBiMap ? Idle.LIBRARY_KEY : counts(type) ? Idle.ZERO : null;
            case "get/1": case "containsKey/1": case "getOrDefault/2": return isBiMap ? Idle.LIBRARY_KEY : null;
            case "containsValue/1": return isBiMap ? Idle.LIBRARY_VALUE : null;
            case "containsAll/1": return isOfEnum ? Idle.LIBRARY_KEYS : null;
            case "removeAll/1": return isOfEnum ? Idle.FOUND : null;
            case "add/2": return counts(type) ? Idle.ZERO : null;
            case "put/2": case "putCoalescing/2": return isOfRanges(type) ? Idle.EMPTY_RANGE : null;
            case "add/1": return isOfRanges(type) ? Idle.EMPTY_RANGE : SIZE.get(type) >= 0 ? Idle.NO_ROOM : null;
            case "offer/1": return SIZE.get(type) >= 0 ? Idle.NO_ROOM : null;
            case "next/0": return AGAIN.get(type) >= 0 ? Idle.REPEATED : null;
            // A table contains no null, and does not look for it.
            case "get/2": case "contains/2": case "containsRow/1": case "containsColumn/1": return Idle.NULL;
            default: return null;
        }
    }

    private static boolean extendsClass(Class<?> type, String name) {
        Class<?> c = type;
        while (c != null && !c.getName().equals(name)) {
            c = c.getSuperclass();
        }
        return c != null;
    }

    /** Whether it is a multiset, whose second argument is a count. */
    private static boolean counts(Class<?> type) {
        for (Class<?> i : type.getInterfaces()) {
            if (i.getName().equals(GUAVA + "Multiset") || counts(i)) {
                return true;
            }
        }
        return type.getSuperclass() != null && counts(type.getSuperclass());
    }

    private static boolean isOfRanges(Class<?> type) {
        return extendsClass(type, GUAVA + "TreeRangeMap") || extendsClass(type, GUAVA + "TreeRangeSet");
    }

    /** Whether an argument can be a key of a map, or in a multiset. */
    static boolean canBeKey(Object of, Object argument) {
        Object type = LibraryViews.get(of, ENUM);
        return type != null ? Idle.isConstant(argument, type) : canBeIn(LibraryViews.get(of, DELEGATE), argument);
    }

    /** Whether an argument can be a value of a map that has an inverse. */
    static boolean canBeValue(Object of, Object argument) {
        Object inverse = LibraryViews.get(of, INVERSE);
        return inverse != null && canBeKey(inverse, argument);
    }

    private static boolean canBeIn(Object map, Object key) {
        return map instanceof EnumMap ? Idle.KEYS != 0 && Idle.isConstant(key, Refs.get(map, Idle.KEYS)) : map instanceof HashMap;
    }

    /** Whether a range is not empty: its ends are cuts of different kinds, or at different places. */
    static boolean isFilled(Object range) {
        Object lower = range == null ? null : LibraryViews.get(range, LOWER);
        Object upper = lower == null ? null : LibraryViews.get(range, UPPER);
        return upper != null && (lower.getClass() != upper.getClass() || areApart(LibraryViews.get(lower, ENDPOINT), LibraryViews.get(upper, ENDPOINT)));
    }

    private static boolean areApart(Object one, Object other) {
        return one != null && other != null && ModelledObject.isByValue(one) && ModelledObject.isByValue(other) && !one.equals(other);
    }

    /** Whether a queue keeps elements at all. */
    static boolean hasRoom(Object queue) {
        return Memory.U.getInt(queue, SIZE.get(queue.getClass())) > 0;
    }

    /** Whether the next step of an iterator over a multiset is to another element. */
    static boolean isNewElement(Object iterator) {
        return Memory.U.getInt(iterator, AGAIN.get(iterator.getClass())) == 0;
    }
}
