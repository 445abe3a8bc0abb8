package dev.regiontrack.plugins;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The reports that JVMs have left in a folder, one for each JVM. */
public final class Reports {
    /** A file in the folder, if tests have run, and no JVM with the agent. */
    public static final String WITHOUT_AGENT = "without-agent";
    private static final String END = ".json";

    private Reports() {
    }

    /** The reports in these folders, by name. A missing folder has none. */
    public static List<File> in(Iterable<File> folders) {
        List<File> found = new ArrayList<>();
        for (File folder : folders) {
            File[] files = folder.listFiles((in, name) -> name.endsWith(END));
            if (files != null) {
                Arrays.sort(files);
                found.addAll(Arrays.asList(files));
            }
        }
        return found;
    }

    /**
     * Removes the reports of an earlier build, which would be merged with those of this one, and creates the folder.
     *
     * @throws IOException if one cannot be removed, or the folder cannot be created
     */
    public static void clear(File folder) throws IOException {
        Files.createDirectories(folder.toPath());
        for (File old : in(List.of(folder))) {
            Files.delete(old.toPath());
        }
        Files.deleteIfExists(folder.toPath().resolve(WITHOUT_AGENT));
    }

    /**
     * Notes in the folder of tests that have run whether no JVM had the agent, which leaves a report as soon as it starts.
     *
     * @throws IOException if the folder cannot be written
     */
    public static void noteIfMissing(File folder) throws IOException {
        if (in(List.of(folder)).isEmpty()) {
            Files.createDirectories(folder.toPath());
            Files.write(folder.toPath().resolve(WITHOUT_AGENT), new byte[0]);
        }
    }

    /** Whether the tests of this folder have run, and no JVM with the agent. */
    public static boolean areMissing(File folder) {
        return new File(folder, WITHOUT_AGENT).isFile();
    }
}
