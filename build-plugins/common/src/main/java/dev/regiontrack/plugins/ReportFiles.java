package dev.regiontrack.plugins;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The files of a merged report, by their formats. */
public final class ReportFiles {
    private static final Map<String, String> NAMES = new TreeMap<>(Map.of(
        "html", "index.html",
        "json", "regiontrack.json",
        "junit", "regiontrack.xml",
        "markdown", "regiontrack.md",
        "sarif", "regiontrack.sarif",
        "text", "regiontrack.txt"));

    private ReportFiles() {
    }

    /**
     * The files in a folder, one for each format.
     *
     * @throws IllegalArgumentException if there is no such format, or none is named
     */
    public static List<File> in(File folder, List<String> formats) {
        List<File> files = new ArrayList<>();
        for (String format : formats) {
            String name = NAMES.get(format.trim());
            if (name == null) {
                throw new IllegalArgumentException("regiontrack formats: " + format + ": expected some of " + String.join(", ", NAMES.keySet()));
            }
            files.add(new File(folder, name));
        }
        if (files.isEmpty()) {
            throw new IllegalArgumentException("regiontrack formats: expected some of " + String.join(", ", NAMES.keySet()));
        }
        return files;
    }
}
