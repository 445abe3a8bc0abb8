package dev.regiontrack.plugins;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The reports that JVMs have left in a folder, one for each JVM. */
public final class Reports {
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
    }
}
