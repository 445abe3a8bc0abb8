package dev.regiontrack.instrument.start;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Directives for HotSpot's compilers.
 *
 * <p>The second compiler leaves out the instrumenter and the texts of its sites. A program is instrumented once, mostly in its first seconds; the
 * second compiler would spend up to a fifth of a short run's processor time on the instrumenter, while the program's own methods wait for it.
 *
 * <p>The first compiler does not inline hooks. Its frame of a method has room for all operands of the method and of what is inlined into it, whether
 * they are needed at the same time or not: a recursive method with a few hooks would get half as deep.
 *
 * <p>The directives are those that {@code jcmd Compiler.directives_add} takes, added in process. A JVM without that command is left alone: only time
 * and stack depend on it.
 */
final class CompilerDirectives {
    /** Only if there are both compilers: without the first, the instrumenter would be interpreted forever. */
    private static final String INSTRUMENTER = "{match: [\"dev/regiontrack/asm/*.*\", \"dev/regiontrack/instrument/*.*\", \"dev/regiontrack/runtime/bridge/SiteText.*\"],"
        + " c2: {Exclude: true}}";
    /** Of the directives that match a method, the JVM obeys only the last added, so these must not override the user's. */
    private static final String HOOKS = "{match: [\"*.*\"], c1: {inline: [\"-dev/regiontrack/runtime/hooks/*.*\", \"-dev/regiontrack/runtime/models/OperationHooks.*\"]}}";
    private static final String MODULE = "jdk.management";
    private static final String PACKAGE = "com.sun.management.internal";

    private CompilerDirectives() {
    }

    /** Adds the directives, if this JVM takes them. */
    static void add(Instrumentation instrumentation) {
        Optional<Module> management = ModuleLayer.boot().findModule(MODULE);
        if (management.isEmpty()) {
            return;
        }
        try {
            Map<String, Set<Module>> opened = Map.of(PACKAGE, Set.of(CompilerDirectives.class.getModule()));
            instrumentation.redefineModule(management.get(), Collections.emptySet(), Collections.emptyMap(), opened, Collections.emptySet(),
                Collections.emptyMap());
            // Its initialiser loads the library of the commands.
            Class.forName(PACKAGE + ".PlatformMBeanProviderImpl");
            List<String> directives = new ArrayList<>();
            if (hasBothCompilers()) {
                directives.add(INSTRUMENTER);
            }
            if (!isFirstAlone() && !hasOthers()) {
                directives.add(HOOKS);
            }
            if (!directives.isEmpty()) {
                execute("Compiler.directives_add", directives.toString());
            }
        } catch (ReflectiveOperationException | IOException | RuntimeException | LinkageError e) {
            // An unknown JVM: it compiles as it likes.
        }
    }

    private static boolean hasBothCompilers() throws ReflectiveOperationException {
        Object mode = flag("CompilationMode");
        return Boolean.TRUE.equals(flag("TieredCompilation")) && (mode == null || mode.equals("default"));
    }

    /** Whether the first compiler's code is what runs to the end: with calls of hooks it would take a seventh more time. */
    private static boolean isFirstAlone() throws ReflectiveOperationException {
        return Long.valueOf(1).equals(flag("TieredStopAtLevel")) || "quick-only".equals(flag("CompilationMode"));
    }

    /** Whether the user has directives. */
    private static boolean hasOthers() throws ReflectiveOperationException {
        Object file = flag("CompilerDirectivesFile");
        return file != null && !file.equals("");
    }

    /** Returns the value of a flag of the JVM; null if it has no such flag. */
    private static Object flag(String name) throws ReflectiveOperationException {
        Class<?> flags = Class.forName(PACKAGE + ".Flag");
        Object flag = accessible(flags, "getFlag", String.class).invoke(null, name);
        return flag == null ? null : accessible(flags, "getValue").invoke(flag);
    }

    /** Executes a command on a file with the directives. Writes the file without helpers of the JDK: they take longer than all the rest. */
    private static void execute(String command, String directives) throws ReflectiveOperationException, IOException {
        Class<?> commands = Class.forName(PACKAGE + ".DiagnosticCommandImpl");
        File file = new File(System.getProperty("java.io.tmpdir"), "regiontrack" + System.nanoTime() + ".json");
        // Fails if such a file exists, even as a symbolic link.
        if (!file.createNewFile()) {
            return;
        }
        try {
            try (OutputStream out = new FileOutputStream(file)) {
                out.write(directives.getBytes(StandardCharsets.UTF_8));
            }
            Object commandsOfThisJvm = accessible(commands, "getDiagnosticCommandMBean").invoke(null);
            // In quotes, because a path can have spaces.
            accessible(commands, "executeDiagnosticCommand", String.class).invoke(commandsOfThisJvm, command + " \"" + file + '"');
        } finally {
            file.delete();
        }
    }

    private static Method accessible(Class<?> type, String name, Class<?>... parameters) throws ReflectiveOperationException {
        Method method = type.getDeclaredMethod(name, parameters);
        method.setAccessible(true);
        return method;
    }
}
