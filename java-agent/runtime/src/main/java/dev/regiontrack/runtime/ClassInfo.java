package dev.regiontrack.runtime;

import java.util.concurrent.ConcurrentHashMap;

/** What the instrumenter knows of a class before it is defined; found again by the class's loader and name. */
public final class ClassInfo {
    /** Name of the field that points to the shadow. */
    public static final String SHADOW = "$regiontrack$shadow";

    private static final WeakTable LOADERS = new WeakTable();

    /** Names and descriptors of the fields, {@code name:descriptor}, in the class file's order. */
    final String[] fields;
    /** Their access flags. */
    final int[] access;
    /** Whether the class got the shadow field. */
    final boolean hasShadow;

    public ClassInfo(String[] fields, int[] access, boolean hasShadow) {
        this.fields = fields;
        this.access = access;
        this.hasShadow = hasShadow;
    }

    /** Keeps the information; {@code name} in the binary form, with dots. */
    public static void put(ClassLoader loader, String name, ClassInfo info) {
        map(loader).put(name, info);
    }

    /** Takes it back: the class is left alone after all. */
    public static void remove(ClassLoader loader, String name) {
        map(loader).remove(name);
    }

    /** True if the class is instrumented. */
    public static boolean isKnown(ClassLoader loader, String name) {
        return map(loader).containsKey(name);
    }

    static ClassInfo of(Class<?> c) {
        ClassLoader loader = c.getClassLoader();
        return loader == null ? null : map(loader).get(c.getName());
    }

    @SuppressWarnings("unchecked")
    private static ConcurrentHashMap<String, ClassInfo> map(ClassLoader loader) {
        Object found = LOADERS.find(loader);
        return (ConcurrentHashMap<String, ClassInfo>) (found != null ? found : LOADERS.put(loader, new ConcurrentHashMap<String, ClassInfo>()));
    }

    /** Index of a field, or -1. */
    int find(String field) {
        for (int i = 0; i < fields.length; i++) {
            if (fields[i].equals(field)) {
                return i;
            }
        }
        return -1;
    }
}
