package dev.regiontrack.maven;

import java.io.File;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.stream.Collectors;

/** The results that the runners of tests leave in a module's build folder, a file for each class of tests. */
final class TestResults {
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

    private static List<File> since(Date start, File folder) {
        long first = start.getTime() / PRECISION * PRECISION;
        File[] files = folder.listFiles((in, name) -> name.startsWith("TEST-"));
        return files == null ? List.of() : Arrays.stream(files).filter(file -> file.lastModified() >= first).collect(Collectors.toList());
    }
}
