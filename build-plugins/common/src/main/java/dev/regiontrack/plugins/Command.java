package dev.regiontrack.plugins;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The {@code regiontrack} command inside the agent's jar. It runs in a JVM of its own, to keep the native library out of the build tool's.
 */
public final class Command {
    private final File jar;

    /** The command in this jar. */
    public Command(File jar) {
        this.jar = jar;
    }

    /** The output of a call, and its exit code. */
    static final class Ended {
        /** 0 nothing found, 1 a violation, 2 an error or an incomplete answer. */
        final int code;
        /** What the call printed to standard output. */
        final String output;
        /** What the call printed to standard error. */
        final String errors;

        Ended(int code, String output, String errors) {
            this.code = code;
            this.output = output;
            this.errors = errors;
        }
    }

    /**
     * Runs the command.
     *
     * @throws IOException if it cannot be started
     */
    Ended run(List<String> arguments) throws IOException {
        Path output = Files.createTempFile("regiontrack", ".out");
        Path errors = Files.createTempFile("regiontrack", ".err");
        try {
            List<String> words = new ArrayList<>();
            words.add(new File(System.getProperty("java.home"), "bin/java").getPath());
            words.add("-jar");
            words.add(jar.getAbsolutePath());
            words.addAll(arguments);
            // Files, because two pipes would need two threads.
            Process process = new ProcessBuilder(words).redirectOutput(output.toFile()).redirectError(errors.toFile()).start();
            process.getOutputStream().close();
            int code = process.waitFor();
            return new Ended(code, text(output), text(errors));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while regiontrack ran", e);
        } finally {
            Files.delete(output);
            Files.delete(errors);
        }
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    /**
     * Merges reports into files, each in the format of its name's ending, with lines of these sources.
     *
     * @throws IOException if the command cannot be run, a report cannot be read, or a file cannot be written
     */
    public void merge(List<File> reports, List<File> files, Sources sources) throws IOException {
        List<String> words = new ArrayList<>(List.of("merge"));
        reports.forEach(report -> words.add(report.getPath()));
        for (String folder : sources.folders()) {
            words.add("--sources");
            words.add(folder);
        }
        for (File file : files) {
            Files.createDirectories(file.getAbsoluteFile().getParentFile().toPath());
            // An existing file is from an earlier build, and would be taken for this build's if this failed.
            Files.deleteIfExists(file.toPath());
            words.add("-o");
            words.add(file.getPath());
        }
        Ended ended = run(words);
        for (File file : files) {
            if (!file.isFile()) {
                throw failed(ended);
            }
        }
    }

    /**
     * Judges the reports together.
     *
     * @throws IOException if the command cannot be run, or a report cannot be read
     */
    public Judgement judge(List<File> reports) throws IOException {
        Ended ended = merged(reports, "text");
        // The exit code says only that there is no answer: neither why, nor what was found.
        String results = ended.code == Judgement.NO_ANSWER ? merged(reports, "junit").output : "";
        return new Judgement(ended.code, ended.output, results);
    }

    /** Prints reports as one, in this format. */
    private Ended merged(List<File> reports, String format) throws IOException {
        List<String> words = new ArrayList<>(List.of("merge", "--format", format));
        reports.forEach(report -> words.add(report.getPath()));
        Ended ended = run(words);
        if (ended.output.isEmpty() || ended.code > 2 || ended.code < 0) {
            throw failed(ended);
        }
        return ended;
    }

    /**
     * Adds the findings of reports to a baseline, which is created if missing; returns a line about it.
     *
     * @throws IOException if the command cannot be run, or a file cannot be read or written
     */
    public String updateBaseline(File baseline, boolean prune, List<File> reports) throws IOException {
        List<String> words = new ArrayList<>(List.of("baseline", "update"));
        if (prune) {
            words.add("--prune");
        }
        words.add(baseline.getPath());
        reports.forEach(report -> words.add(report.getPath()));
        Ended ended = run(words);
        if (ended.code != 0) {
            throw failed(ended);
        }
        return ended.output.trim();
    }

    private static IOException failed(Ended ended) {
        String why = ended.errors.trim();
        return new IOException(why.isEmpty() ? "regiontrack ended with exit code " + ended.code : why);
    }
}
