package dev.regiontrack;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The command, for users who have only the jar: {@code java -jar regiontrack.jar merge build/reports}. Unpacks the native program and runs it; input,
 * output and exit code are the program's own.
 */
public final class Main {
    /** The variable by which the command finds the agent, unless the user names it. No option of the agent: those begin with {@code REGIONTRACK_}. */
    private static final String JAR = "_REGIONTRACK_JAR";

    private Main() {
    }

    /** Runs the command with these arguments, and ends this JVM with its exit code; if the command cannot run, with 2, after a line that says why. */
    public static void main(String[] arguments) throws Exception {
        String windows = Parts.platform().startsWith("windows") ? ".exe" : "";
        try (Parts parts = new Parts()) {
            String name = "native/" + Parts.platform() + "/regiontrack" + windows + ".gz";
            File command = parts.apply(name);
            if (command == null) {
                Premain.stop("no command for " + Parts.platform() + " in this jar (" + name + "); build it there with cargo xtask build");
                return;
            }
            System.exit(run(command, parts.file, arguments));
        } catch (IllegalStateException e) {
            // Thrown by the parts, with the line that says why.
            Premain.stop(e.getMessage().replace('\n', ' '));
        }
    }

    private static int run(File command, File jar, String[] arguments) throws InterruptedException {
        List<String> words = new ArrayList<>();
        words.add(command.getPath());
        words.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(words).inheritIO();
        builder.environment().put(JAR, jar.getPath());
        try {
            if (!command.setExecutable(true)) {
                throw new IOException("its file cannot be made executable");
            }
            Process process = builder.start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process)));
            int code = process.waitFor();
            command.delete();
            return code;
        } catch (IOException e) {
            Premain.stop("cannot run the command from the folder for temporary files, " + command.getParent() + ": " + e.getMessage()
                + "; name one whose programs can be run with -Djava.io.tmpdir=FOLDER");
            return 2;
        }
    }

    /** If this JVM is ended, the command is ended, too; it may have something to write first. */
    private static void end(Process process) {
        process.destroy();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
