package dev.regiontrack.instrument;

import dev.regiontrack.runtime.ClassInfo;
import dev.regiontrack.runtime.NativeBridge;
import dev.regiontrack.runtime.Transport;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.Set;

/**
 * Instruments the program's classes as they are loaded. The JVM ignores what a transformer throws, so every failure is caught,
 * counted and reported here; the class is then left as it is.
 */
final class Transformer implements ClassFileTransformer {
    private final MethodFilter filter;
    private final ArrayMode arrays;
    private final Transport report;
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
            return new ClassInstrumenter(loader, filter, arrays, report, this).instrument(bytes);
        } catch (Throwable e) {
            ClassInfo.remove(loader, name.replace('/', '.'));
            report.describe(NativeBridge.FAILED, 1, name.replace('/', '.') + ": " + e);
            return null;
        }
    }

    /** True if a class of this name, a superclass, is to be instrumented too, as far as its name tells. */
    boolean isOurs(String name) {
        int slash = name.lastIndexOf('/');
        String of = slash < 0 ? "" : name.substring(0, slash).replace('/', '.');
        return !platform.contains(of) && !name.startsWith("dev/regiontrack/") && filter.includes(name);
    }
}
