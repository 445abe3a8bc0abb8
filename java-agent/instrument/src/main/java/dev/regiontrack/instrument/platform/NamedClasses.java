package dev.regiontrack.instrument.platform;

import dev.regiontrack.instrument.selection.MethodFilter;
import dev.regiontrack.instrument.selection.Origin;
import dev.regiontrack.instrument.selection.Refusals;
import dev.regiontrack.runtime.bodies.Platform;
import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Transport;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The classes of the platform that the user names. They are loaded if necessary, and retransformed. A name covers a class, those nested in
 * it, and its non-public superclasses in the same package, which to a user are parts of it; the latter are watched only for its objects.
 */
public final class NamedClasses {
    private static final String SUFFIX = ".class";

    private final MethodFilter filter;
    private final Transport report;
    private final Map<Class<?>, Origin> origins = new HashMap<>();
    private final Set<Class<?>> superclasses = new HashSet<>();
    /** The classes because of which those superclasses are watched. */
    private final Set<Class<?>> subclasses = new HashSet<>();
    /** Classes that have got hooks. */
    private final Set<Class<?>> watched = ConcurrentHashMap.newKeySet();

    /** Finds the classes; {@code patterns} are separated by colons. */
    public NamedClasses(MethodFilter filter, Transport report, String patterns) {
        this.filter = filter;
        this.report = report;
        Map<String, Module> packages = new HashMap<>();
        for (Module module : ModuleLayer.boot().modules()) {
            for (String name : isPlatform(module) ? module.getPackages() : Set.<String>of()) {
                packages.put(name, module);
            }
        }
        for (String pattern : patterns.split(":")) {
            find(pattern, packages);
        }
        for (Class<?> type : new ArrayList<>(origins.keySet())) {
            addSuperclasses(type);
        }
    }

    public static boolean isPlatform(Module module) {
        return module.isNamed() && module.getLayer() == ModuleLayer.boot() && (module.getName().startsWith("java.") || module.getName().startsWith("jdk."));
    }

    private void find(String pattern, Map<String, Module> packages) {
        int literal = 0;
        while (literal < pattern.length() && pattern.charAt(literal) != '*' && pattern.charAt(literal) != '?') {
            literal++;
        }
        int dot = pattern.lastIndexOf('.', literal - 1);
        Module module = dot < 0 ? null : packages.get(pattern.substring(0, dot));
        boolean isPattern = literal < pattern.length();
        if (module == null || dot + 1 == literal) {
            if (pattern.startsWith("java.")) {
                String why = isPattern ? "of the platform, only classes are watched that are named, as in java.util.Vector" : "the platform has no such package";
                report.describe(NativeBridge.FAILED, 1, "include=" + pattern + ": " + why);
            }
        } else if (isPattern) {
            findAll(pattern, pattern.substring(0, dot), module);
        } else {
            Class<?> type = Class.forName(module, pattern);
            String why = type == null ? "the platform has no such class" : Refusals.reason(pattern);
            if (why == null) {
                add(type);
            } else {
                report.describe(NativeBridge.FAILED, 1, pattern + ", which include= names: " + why);
            }
        }
    }

    /** Finds all classes of a package that a pattern names. Those that are refused are reported together. */
    private void findAll(String pattern, String in, Module module) {
        List<String> refused = new ArrayList<>();
        for (String name : classes(in, module)) {
            if (filter.names(name.replace('.', '/')) && name.indexOf('$') < 0 | pattern.indexOf('$') >= 0) {
                Class<?> type = Refusals.reason(name) == null ? Class.forName(module, name) : null;
                if (type != null) {
                    add(type);
                } else {
                    refused.add(name);
                }
            }
        }
        if (!refused.isEmpty()) {
            Collections.sort(refused);
            String more = refused.size() == 1 ? "" : " and " + (refused.size() - 1) + " others";
            report.describe(NativeBridge.FAILED, 1, refused.get(0) + more + ", which include=" + pattern + " names: " + Refusals.reason(refused.get(0)));
        }
    }

    private static List<String> classes(String in, Module module) {
        List<String> found = new ArrayList<>();
        Optional<ModuleReference> reference = ModuleLayer.boot().configuration().findModule(module.getName()).map(resolved -> resolved.reference());
        if (!reference.isPresent()) {
            return found;
        }
        try (ModuleReader reader = reference.get().open(); Stream<String> all = reader.list()) {
            for (Object entry : all.toArray()) {
                String file = (String) entry;
                if (file.endsWith(SUFFIX) && file.lastIndexOf('/') == in.length() && file.startsWith(in.replace('.', '/'))) {
                    found.add(file.substring(0, file.length() - SUFFIX.length()).replace('/', '.'));
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("the classes of " + module + " cannot be listed: " + e, e);
        }
        return found;
    }

    /** Adds a class and those nested in it, also anonymous ones, unless the user excludes them. */
    private void add(Class<?> type) {
        origins.put(type, Origin.PLATFORM);
        for (Class<?> nested : type.getNestMembers()) {
            if (nested.getName().startsWith(type.getName()) && filter.names(nested.getName().replace('.', '/'))) {
                origins.put(nested, Origin.PLATFORM);
            }
        }
    }

    private void addSuperclasses(Class<?> type) {
        Class<?> above = type.getSuperclass();
        while (above != null && !Modifier.isPublic(above.getModifiers()) && above.getPackageName().equals(type.getPackageName())) {
            if (Refusals.reason(above.getName()) == null && origins.putIfAbsent(above, Origin.SUPERCLASS) != Origin.PLATFORM) {
                superclasses.add(above);
                subclasses.add(type);
            }
            above = above.getSuperclass();
        }
    }

    /** Whether the class gets the hooks of {@link ClassLoading}. */
    public boolean isLoading(Class<?> type) {
        return !origins.isEmpty() && type.getClassLoader() == null && ClassLoading.classes().contains(type.getName());
    }

    public boolean contain(Class<?> type) {
        return origins.containsKey(type);
    }

    public Origin origin(Class<?> type) {
        return origins.get(type);
    }

    /** Whether the class has hooks, so that another agent is changing it now. */
    public boolean areWatched(Class<?> type) {
        return watched.contains(type);
    }

    /** Notes that the class has hooks. */
    public void watch(Class<?> type) {
        watched.add(type);
    }

    /** Inserts the hooks into the classes, which are watched from then on. */
    public void retransform(Instrumentation instrumentation) {
        if (origins.isEmpty()) {
            return;
        }
        Set<Class<?>> types = new HashSet<>(origins.keySet());
        for (String name : ClassLoading.classes()) {
            try {
                types.add(Class.forName(name, false, null));
            } catch (ClassNotFoundException e) {
                report.describe(NativeBridge.FAILED, 1, name + ": this JVM has no such class");
            }
        }
        for (Class<?> type : types) {
            try {
                instrumentation.retransformClasses(type);
            } catch (UnmodifiableClassException | LinkageError | RuntimeException e) {
                watched.remove(type);
                report.describe(NativeBridge.FAILED, 1, type.getName() + ": " + e);
            }
        }
        Set<Class<?>> all = new HashSet<>(watched);
        all.removeAll(superclasses);
        superclasses.retainAll(watched);
        Platform.watch(all, superclasses, subclasses);
    }
}
