package dev.regiontrack.instrument.start;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps the instrumenter out of HotSpot's second compiler. A program is instrumented once, mostly in its first seconds; the second
 * compiler would spend up to a fifth of a short run's processor time on the instrumenter, while the program's own methods wait for it.
 *
 * <p>The directive is the one that {@code jcmd Compiler.directives_add} takes, added in process. It names our packages alone. A JVM
 * that has no such command, no second compiler, or no first one, is left as it is: nothing but time depends on it.
 */
final class CompilerDirectives {
    private static final String DIRECTIVE =
        "[{match: [\"dev/regiontrack/asm/*.*\", \"dev/regiontrack/instrument/*.*\"], c2: {Exclude: true}}]";
    private static final String MODULE = "jdk.management";
    private static final String PACKAGE = "com.sun.management.internal";

    private CompilerDirectives() {
    }

    /** Adds the directive, if this JVM takes it. */
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
            if (hasBothCompilers()) {
                execute("Compiler.directives_add");
            }
        } catch (ReflectiveOperationException | IOException | RuntimeException | LinkageError e) {
            // Another JVM than those that we know: it compiles as it likes.
        }
    }

    /** Without the first compiler, the instrumenter would be interpreted forever. */
    private static boolean hasBothCompilers() throws ReflectiveOperationException {
        Object mode = flag("CompilationMode");
        return Boolean.TRUE.equals(flag("TieredCompilation")) && (mode == null || mode.equals("default"));
    }

    /** The value of a flag of the JVM; null if it has no such flag. */
    private static Object flag(String name) throws ReflectiveOperationException {
        Class<?> flags = Class.forName(PACKAGE + ".Flag");
        Object flag = accessible(flags, "getFlag", String.class).invoke(null, name);
        return flag == null ? null : accessible(flags, "getValue").invoke(flag);
    }

    /** Executes a command on a file with the directive. No helper of the JDK writes the file: they take longer than all the rest. */
    private static void execute(String command) throws ReflectiveOperationException, IOException {
        Class<?> commands = Class.forName(PACKAGE + ".DiagnosticCommandImpl");
        File file = new File(System.getProperty("java.io.tmpdir"), "regiontrack" + System.nanoTime() + ".json");
        // Fails if there is such a file, also as a symbolic link.
        if (!file.createNewFile()) {
            return;
        }
        try {
            try (OutputStream out = new FileOutputStream(file)) {
                out.write(DIRECTIVE.getBytes(StandardCharsets.UTF_8));
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
