package dev.regiontrack.maven;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The results that the runners of tests leave in a module's build folder, a file for each class of tests. */
final class TestResults {
    /** A property of each JVM that gets the agent from this plugin. Its runner writes it into the results, among all that the JVM has. */
    static final String MARK = "regiontrack-maven.agent";
    /** A property that each JVM has, so that the results without it say nothing. */
    private static final String ANY = "java.version";
    /** What comes after the properties. */
    private static final Pattern END = Pattern.compile("</properties>|<testcase\\b");

    private static final List<String> FOLDERS = List.of("surefire-reports", "failsafe-reports");
    /** Some file systems know only the second in which a file was written. */
    private static final long PRECISION = 1000;

    private TestResults() {
    }

    /**
     * Whether tests have run since {@code start}, when this build began. A runner does not remove the results of an earlier build, whose tests do not
     * run again if nobody asks for them. Null if it is not known when the build began: then no file is taken for one of its results.
     */
    static boolean areIn(File build, Date start) {
        return start != null && FOLDERS.stream().anyMatch(folder -> !since(start, new File(build, folder)).isEmpty());
    }

    /** The runners whose tests have run since {@code start}, and none of them in a JVM with the agent, as far as their results say. */
    static List<String> withoutAgent(File build, Date start) {
        List<String> runners = new ArrayList<>();
        for (String folder : FOLDERS) {
            List<File> results = start == null ? List.of() : since(start, new File(build, folder));
            if (!results.isEmpty() && results.stream().allMatch(TestResults::isWithoutAgent)) {
                runners.add(folder.startsWith("surefire") ? "Surefire" : "Failsafe");
            }
        }
        return runners;
    }

    /** Whether a file has the properties of a JVM, and not the one for the agent. */
    private static boolean isWithoutAgent(File file) {
        boolean hasProperties = false;
        // The names of properties need no encoding, and the output of a test can have any.
        try (BufferedReader lines = Files.newBufferedReader(file.toPath(), StandardCharsets.ISO_8859_1)) {
            for (String line = lines.readLine(); line != null && !END.matcher(line).find(); line = lines.readLine()) {
                if (line.contains("name=\"" + MARK + '"')) {
                    return false;
                }
                hasProperties |= line.contains("name=\"" + ANY + '"');
            }
        } catch (IOException e) {
            return false;
        }
        return hasProperties;
    }

    private static List<File> since(Date start, File folder) {
        long first = start.getTime() / PRECISION * PRECISION;
        File[] files = folder.listFiles((in, name) -> name.startsWith("TEST-"));
        return files == null ? List.of() : Arrays.stream(files).filter(file -> file.lastModified() >= first).collect(Collectors.toList());
    }
}
