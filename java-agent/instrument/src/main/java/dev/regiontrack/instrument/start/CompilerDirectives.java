package dev.regiontrack.instrument.start;

import dev.regiontrack.runtime.bridge.NativeBridge;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Directives for HotSpot's compilers.
 *
 * <p>The second compiler leaves out the instrumenter and how it registers its sites. A program is instrumented once, mostly in its first seconds; the
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
    private static final String INSTRUMENTER = "{match: [\"dev/regiontrack/asm/*.*\", \"dev/regiontrack/instrument/*.*\", \"dev/regiontrack/runtime/bridge/SiteText.*\","
        + " \"dev/regiontrack/runtime/sites/SiteNumbers.*\", \"dev/regiontrack/runtime/sites/Site.put\", \"dev/regiontrack/runtime/sites/ClassInfo.pure\"],"
        + " c2: {Exclude: true}}";
    /** Of the directives that match a method, the JVM obeys only the last added, so these must not override the user's. */
    private static final String HOOKS = "{match: [\"*.*\"], c1: {inline: [\"-dev/regiontrack/runtime/hooks/*.*\", \"-dev/regiontrack/runtime/models/OperationHooks.*\"]}}";
    private static final String MODULE = "jdk.management";

    private CompilerDirectives() {
    }

    /** Adds the directives, if this JVM takes them. */
    static void add(NativeBridge bridge) {
        if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
            return;
        }
        try {
            // As the JDK's own classes load it, but without the lambda of their initialiser, the first in many programs.
            System.loadLibrary("management_ext");
            List<String> directives = new ArrayList<>();
            if (hasBothCompilers(bridge)) {
                directives.add(INSTRUMENTER);
            }
            if (!isFirstAlone(bridge) && !hasOthers(bridge)) {
                directives.add(HOOKS);
            }
            if (!directives.isEmpty()) {
                execute(bridge, "Compiler.directives_add", directives.toString());
            }
        } catch (IOException | RuntimeException | LinkageError e) {
            // An unknown JVM: it compiles as it likes.
        }
    }

    private static boolean hasBothCompilers(NativeBridge bridge) {
        String mode = bridge.flag("CompilationMode");
        return "true".equals(bridge.flag("TieredCompilation")) && (mode == null || mode.equals("default"));
    }

    /** Whether the first compiler's code is what runs to the end: with calls of hooks it would take a seventh more time. */
    private static boolean isFirstAlone(NativeBridge bridge) {
        return "1".equals(bridge.flag("TieredStopAtLevel")) || "quick-only".equals(bridge.flag("CompilationMode"));
    }

    /** Whether the user has directives. */
    private static boolean hasOthers(NativeBridge bridge) {
        String file = bridge.flag("CompilerDirectivesFile");
        return file != null && !file.isEmpty();
    }

    /** Executes a command on a file with the directives. Writes the file without helpers of the JDK: they take longer than all the rest. */
    private static void execute(NativeBridge bridge, String command, String directives) throws IOException {
        File file = new File(System.getProperty("java.io.tmpdir"), "regiontrack" + System.nanoTime() + ".json");
        // Fails if such a file exists, even as a symbolic link.
        if (!file.createNewFile()) {
            return;
        }
        try {
            try (OutputStream out = new FileOutputStream(file)) {
                // By name: the class of the standard character sets would load others, too.
                out.write(directives.getBytes("UTF-8"));
            }
            // In quotes, because a path can have spaces.
            bridge.command(command + " \"" + file + '"');
        } finally {
            file.delete();
        }
    }
}
