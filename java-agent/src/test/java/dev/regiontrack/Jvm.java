package dev.regiontrack;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A JVM to run programs on: the build's JVM, and those in the property {@code jvms} or, without it, those installed next to it. */
final class Jvm {
    private final File home;

    private Jvm(File home) {
        this.home = home;
    }

    /** The result of a run. */
    static final class Run {
        final int exit;
        final String out;
        final String err;

        Run(int exit, String out, String err) {
            this.exit = exit;
            this.out = out;
            this.err = err;
        }
    }

    static List<Jvm> all() throws Exception {
        Map<String, Jvm> found = new LinkedHashMap<>();
        List<File> homes = new ArrayList<>();
        File own = new File(System.getProperty("java.home"));
        homes.add(own);
        String named = System.getProperty("regiontrack.jvms", "");
        File[] beside = own.getCanonicalFile().getParentFile().listFiles();
        if (!named.isEmpty()) {
            for (String home : named.split(File.pathSeparator)) {
                homes.add(new File(home));
            }
        } else if (beside != null) {
            homes.addAll(List.of(beside));
        }
        for (File home : homes) {
            if (new File(home, "bin/java").canExecute() && new File(home, "release").exists()) {
                found.putIfAbsent(new File(home, "release").getCanonicalPath(), new Jvm(home));
            }
        }
        return new ArrayList<>(found.values());
    }

    /** Returns, for tests that take long, the build's JVM and one of the others, which take turns from test to test; in a full run all of them. */
    static List<Jvm> some() throws Exception {
        List<Jvm> all = all();
        if (isFull() || all.size() < 3) {
            return all;
        }
        String test = StackWalker.getInstance().walk(frames -> frames.filter(frame -> frame.getClassName().endsWith("Test"))
            .map(StackWalker.StackFrame::getMethodName).reduce("", (inner, outer) -> outer));
        return List.of(all.get(0), all.get(1 + Math.floorMod(test.hashCode(), all.size() - 1)));
    }

    /** Whether everything runs in full size: {@code -Pfull}. */
    static boolean isFull() {
        return Boolean.getBoolean("regiontrack.full");
    }

    /** Whether this is the build's JVM; in a full run true for all. Other JVMs run what is most likely to differ between them. */
    boolean isThorough() throws Exception {
        return isFull() || home.getCanonicalPath().equals(new File(System.getProperty("java.home")).getCanonicalPath());
    }

    /** Runs a small program. A JVM that is not tested thoroughly goes without its second compiler, which takes a fifth of the time. */
    Run runSmall(List<String> options, String classPath, String... program) throws Exception {
        List<String> all = new ArrayList<>(options);
        if (!isThorough()) {
            all.add("-XX:TieredStopAtLevel=1");
        }
        return run(all, classPath, program);
    }

    static Jvm own() {
        return new Jvm(new File(System.getProperty("java.home")));
    }

    /** Runs a program with these JVM options and arguments. Fails after ten minutes, which is enough even on a busy machine. */
    Run run(List<String> options, String classPath, String... program) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(new File(home, "bin/java").getPath());
        command.addAll(options);
        command.add("-cp");
        command.add(classPath);
        command.addAll(List.of(program));
        Path out = Files.createTempFile("run", "out");
        Path err = Files.createTempFile("run", "err");
        Process process = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        try {
            if (!process.waitFor(10, TimeUnit.MINUTES)) {
                throw new AssertionError("still running after ten minutes: " + command + "\n" + read(out) + read(err));
            }
            return new Run(process.exitValue(), read(out), read(err));
        } finally {
            process.destroyForcibly();
            Files.delete(out);
            Files.delete(err);
        }
    }

    /** Options that run a program under the agent, with the bridge that needs no native library. */
    static List<String> agent(String options, String... more) {
        List<String> result = new ArrayList<>(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationRemote",
            "-XX:+BytecodeVerificationLocal", "-javaagent:" + System.getProperty("regiontrack.jar") + "=" + options,
            "-Xbootclasspath/a:" + System.getProperty("regiontrack.testing"), "-Dregiontrack.test.bridge=dev.regiontrack.runtime.testing.JavaTransport",
            "-Dregiontrack.test.verbose=true", "-Dregiontrack.test.sampling=3050"));
        for (String property : more) {
            result.add("-Dregiontrack.test." + property);
        }
        return result;
    }

    /** The same with the bridge of the jar, for what only native code can do. */
    static List<String> nativeAgent(String options) {
        return new ArrayList<>(List.of("-XX:+UnlockDiagnosticVMOptions", "-javaagent:" + System.getProperty("regiontrack.jar") + "=" + options));
    }

    private static String read(Path file) throws Exception {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return home.getName();
    }
}
