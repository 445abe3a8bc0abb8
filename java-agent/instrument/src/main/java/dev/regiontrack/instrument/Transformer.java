package dev.regiontrack.instrument;

import dev.regiontrack.runtime.ClassInfo;
import dev.regiontrack.runtime.Hooks;
import dev.regiontrack.runtime.NativeBridge;
import dev.regiontrack.runtime.Transport;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Instruments the program's classes as they are loaded. The JVM ignores what a transformer throws, so every failure is caught,
 * counted and reported here; the class is then left as it is.
 */
final class Transformer implements ClassFileTransformer {
    private final MethodFilter filter;
    private final ArrayMode arrays;
    private final Transport report;
    private final Map<ClassLoader, Boolean> loaders = new WeakHashMap<>();
    private final Set<String> platform = new HashSet<>();

    Transformer(MethodFilter filter, ArrayMode arrays, Transport report) {
        this.filter = filter;
        this.arrays = arrays;
        this.report = report;
        for (Module module : ModuleLayer.boot().modules()) {
            if (isPlatform(module)) {
                platform.addAll(module.getPackages());
            }
        }
    }

    private static boolean isPlatform(Module module) {
        return module.isNamed() && module.getLayer() == ModuleLayer.boot() && (module.getName().startsWith("java.") || module.getName().startsWith("jdk."));
    }

    @Override
    public byte[] transform(Module module, ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        if (redefined != null || name == null || loader == null || loader == getClass().getClassLoader()
            || loader == ClassLoader.getPlatformClassLoader() || isPlatform(module) || name.startsWith("dev/regiontrack/")) {
            return null;
        }
        try {
            if (!filter.includes(name)) {
                report.describe(NativeBridge.SKIPPED, 0, name.replace('/', '.'));
                return null;
            }
            if (!findsRuntime(loader)) {
                throw new IllegalStateException("its loader does not ask the boot loader for the agent's runtime");
            }
            return new ClassInstrumenter(loader, filter, arrays, report, this).instrument(bytes);
        } catch (Throwable e) {
            ClassInfo.remove(loader, name.replace('/', '.'));
            report.describe(NativeBridge.FAILED, 1, name.replace('/', '.') + ": " + e);
            return null;
        }
    }

    /** Some loaders (OSGi's) ask their parents for a few packages only; their classes could not call a hook. Asked once a loader. */
    private boolean findsRuntime(ClassLoader loader) {
        if (loader == ClassLoader.getSystemClassLoader()) {
            return true;
        }
        Boolean known;
        synchronized (loaders) {
            known = loaders.get(loader);
            if (known == null) {
                // Loading may bring other classes of this loader here, on this thread or another.
                loaders.put(loader, true);
            }
        }
        if (known == null) {
            try {
                known = Class.forName(Hooks.class.getName(), false, loader) == Hooks.class;
            } catch (LinkageError | ClassNotFoundException | RuntimeException e) {
                known = false;
            }
            synchronized (loaders) {
                loaders.put(loader, known);
            }
        }
        return known;
    }

    /** True if a class of this name, a superclass, is to be instrumented too, as far as its name tells. */
    boolean isOurs(String name) {
        int slash = name.lastIndexOf('/');
        String of = slash < 0 ? "" : name.substring(0, slash).replace('/', '.');
        return !platform.contains(of) && !name.startsWith("dev/regiontrack/") && filter.includes(name);
    }
}
