package dev.regiontrack.instrument.classes;

import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.instrument.platform.ClassLoading;
import dev.regiontrack.instrument.platform.NamedClasses;
import dev.regiontrack.instrument.platform.ReflectionTransformer;
import dev.regiontrack.instrument.profile.Guide;
import dev.regiontrack.instrument.selection.Agents;
import dev.regiontrack.instrument.selection.ArrayMode;
import dev.regiontrack.instrument.selection.Loaders;
import dev.regiontrack.instrument.selection.MethodFilter;
import dev.regiontrack.instrument.selection.OwnModels;
import dev.regiontrack.runtime.bodies.Platform;
import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Transport;
import dev.regiontrack.runtime.sites.ClassInfo;
import dev.regiontrack.runtime.threads.Inside;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Instruments the program's classes as they are loaded. The JVM ignores exceptions of a transformer, so every failure is caught, counted
 * and reported here; the class is then left as it is.
 *
 * <p>It must be installed as retransformation-capable. Then it runs after other agents' transformers that are not, whichever agent was
 * started first, and these see the program's classes as they are in their files. In return, a class that another agent redefines or
 * retransforms is passed here again, and gets the same hooks.
 */
public final class Transformer implements ClassFileTransformer {
    private final MethodFilter filter;
    private final ArrayMode arrays;
    private final Transport report;
    private final Agents agents;
    private final Loaders loaders;
    private final Set<String> platform = new HashSet<>();
    private final NamedClasses named;
    private final ReflectionTransformer reflection;
    private final Guide guide;
    private final OwnModels models;
    /** The program's classes that were loaded before the agent was attached. */
    private final Set<Class<?>> late = Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));
    /** Classes that were reported, by name and loader. */
    private final Set<String> failed = new HashSet<>();

    public Transformer(Instrumentation instrumentation, NamedClasses named, MethodFilter filter, ArrayMode arrays, Transport report, Agents agents,
            ReflectionTransformer reflection, Guide guide, OwnModels models) {
        this.guide = guide;
        this.models = models;
        this.named = named;
        this.reflection = reflection;
        this.filter = filter;
        this.arrays = arrays;
        this.report = report;
        this.agents = agents;
        loaders = new Loaders(instrumentation);
        for (Module module : ModuleLayer.boot().modules()) {
            if (NamedClasses.isPlatform(module)) {
                platform.addAll(module.getPackages());
            }
        }
    }

    /** The agent uses classes of the platform that may be watched. */
    @Override
    public byte[] transform(Module module, ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        try (Inside inside = Platform.inside()) {
            if (redefined == null) {
                look(bytes);
            }
            return transformInside(module, loader, name, redefined, domain, bytes);
        }
    }

    /** If a class cannot be read for this, the report only says more than it should. */
    private void look(byte[] bytes) {
        try {
            models.see(bytes);
        } catch (RuntimeException | LinkageError e) {
            report.describe(NativeBridge.TOLERATED, 1, "classes of which it is not known whether the table of models names them");
        }
    }

    private byte[] transformInside(Module module, ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        if (redefined != null && (named.contain(redefined) || named.isLoading(redefined))) {
            return platform(redefined, bytes);
        }
        if (name == null || !isProgram(module, loader, name)) {
            return null;
        }
        String type = name.replace('/', '.');
        try {
            if (redefined != null && Caches.have(name) && !filter.includes(name)) {
                return cache(loader, name, bytes);
            }
            if (redefined != null && late.contains(redefined)) {
                requireRuntime(loader);
                return instrumenter(loader).instrumentLate(bytes);
            }
            if (redefined != null) {
                return ClassInfo.isKnown(loader, type) && !RuntimeNames.areIn(bytes) ? instrumenter(loader).again(bytes) : null;
            }
            if (!filter.includes(name) || agents.have(domain)) {
                report.describe(NativeBridge.SKIPPED, 0, type);
                return Caches.have(name) && !filter.includes(name) ? cache(loader, name, bytes) : null;
            }
            requireRuntime(loader);
            return instrumenter(loader).instrument(bytes);
        } catch (Throwable e) {
            if (redefined == null || late.contains(redefined)) {
                ClassInfo.remove(loader, type);
            }
            if (redefined == null || !late.contains(redefined)) {
                fail(loader, type, e.toString());
            }
            return null;
        }
    }

    /** Without its hooks, loads of the cache are not seen. */
    private byte[] cache(ClassLoader loader, String name, byte[] bytes) {
        try {
            requireRuntime(loader);
            return Caches.hooked(name, bytes);
        } catch (RuntimeException | LinkageError e) {
            report.describe(NativeBridge.TOLERATED, 1, "what " + name.replace('/', '.') + " loads, which is not as expected: " + e);
            return null;
        }
    }

    private byte[] platform(Class<?> type, byte[] bytes) {
        try {
            if (named.isLoading(type)) {
                return ClassLoading.hooked(type.getName(), bytes);
            }
            byte[] result = instrumenter(type.getClassLoader()).instrument(bytes, named.origin(type), named.areWatched(type));
            named.watch(type);
            return result;
        } catch (Throwable e) {
            fail(type.getClassLoader(), type.getName(), e.toString());
            return null;
        }
    }

    /** Whether the class is to be watched, and was loaded before the agent was attached. Its hooks can be inserted from then on. */
    public boolean takesLate(Class<?> type) {
        String name = type.getName();
        // Hidden classes, whose names contain a slash, are never passed to transformers.
        boolean isOurs = name.indexOf('/') < 0 && !type.isArray() && !type.isPrimitive()
            && isProgram(type.getModule(), type.getClassLoader(), name.replace('.', '/')) && filter.includes(name.replace('.', '/'))
            && !agents.have(type.getProtectionDomain()) && !ClassInfo.isKnown(type.getClassLoader(), name);
        return isOurs && late.add(type);
    }

    private static boolean isProgram(Module module, ClassLoader loader, String name) {
        return loader != null && loader != ClassLoader.getPlatformClassLoader() && !NamedClasses.isPlatform(module)
            && !name.startsWith("dev/regiontrack/") && !isMadeByThePlatform(name);
    }

    /** Whether this is an accessor of reflection, in a loader of its own, or a proxy of public interfaces, in a module of its own. */
    private static boolean isMadeByThePlatform(String name) {
        return name.startsWith("jdk/internal/") || name.startsWith("jdk/proxy") || name.startsWith("com/sun/proxy/");
    }

    private void requireRuntime(ClassLoader loader) {
        List<Class<?>> loaded = new ArrayList<>();
        try {
            if (!loaders.findRuntime(loader, loaded)) {
                throw new IllegalStateException("its loader does not ask the boot loader for the agent's runtime");
            }
        } finally {
            for (Class<?> type : loaded) {
                reportUnseen(type);
            }
        }
    }

    /** Reports a class loaded while a loader was asked for the runtime: no transformer has seen it, unless another thread loaded it. */
    private void reportUnseen(Class<?> type) {
        String name = type.getName();
        // Hidden classes, whose names contain a slash, and arrays are never passed to transformers.
        boolean isShown = name.indexOf('/') < 0 && !type.isArray() && isProgram(type.getModule(), type.getClassLoader(), name.replace('.', '/'));
        if (isShown && !ClassInfo.isKnown(type.getClassLoader(), name) && filter.includes(name.replace('.', '/'))
            && !agents.have(type.getProtectionDomain())) {
            fail(type.getClassLoader(), name, "it was loaded while a class loader was asked for the agent's runtime");
        }
    }

    /** Reports a class, once. */
    private void fail(ClassLoader loader, String type, String why) {
        boolean isNew;
        synchronized (failed) {
            isNew = failed.add(type + '@' + System.identityHashCode(loader));
        }
        if (isNew) {
            report.describe(NativeBridge.FAILED, 1, type + ": " + why);
        }
    }

    private ClassInstrumenter instrumenter(ClassLoader loader) {
        return new ClassInstrumenter(loader, filter, arrays, report, this, guide);
    }

    /** Whether the program cannot see which methods are added to its classes. */
    boolean hidesMethods() {
        return reflection.isDone();
    }

    /** Whether a superclass of this name is to be instrumented too, as far as its name shows. */
    boolean isOurs(String name) {
        int slash = name.lastIndexOf('/');
        String of = slash < 0 ? "" : name.substring(0, slash).replace('/', '.');
        return !platform.contains(of) && !name.startsWith("dev/regiontrack/") && filter.includes(name);
    }
}
