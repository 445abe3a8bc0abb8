package dev.regiontrack.plugins;

import java.io.File;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The folders of sources whose lines a merged report shows: those that the agent's option {@code sources=} names, otherwise those of the modules. The
 * command that merges does not run in the folder of a module, so it would not find them by itself.
 */
public final class Sources implements Serializable {
    private static final long serialVersionUID = 1;

    private static final String OPTION = "sources=";
    /** The word for no sources at all. */
    private static final String NONE = "none";
    /** Where build tools have sources, also those that a build's model does not list, such as Kotlin's. */
    private static final List<String> USUAL = List.of("src/main/java", "src/test/java", "src/main/kotlin", "src/test/kotlin", "src/main/scala",
        "src/test/scala", "src/main/groovy", "src/test/groovy", "src");
    /** A colon between paths. On Windows one can belong to a path, as in C:\\sources. */
    private static final String BETWEEN = File.separatorChar == '/' ? ":" : "(?<!(?<![^:])[A-Za-z]):|:(?![/\\\\])";
    /** The most folders of modules, because the command line of some platforms is short. */
    private static final int MOST = 200;

    /** What the option names; empty if it is not set. */
    private final List<String> named = new ArrayList<>();
    /** The folders of sources of each module, by its folder, in the order in which they are searched. */
    private final Map<File, List<File>> modules = new LinkedHashMap<>();

    /** Sources for reports of JVMs with these options of the agent; null for none. */
    public Sources(String options) {
        for (String option : options == null ? new String[0] : options.split(",")) {
            if (option.trim().startsWith(OPTION)) {
                named.clear();
                for (String path : option.trim().substring(OPTION.length()).split(BETWEEN)) {
                    named.add(path.trim());
                }
            }
        }
    }

    /** Adds a module, after the others: its folder, from which relative paths of the option count as in its JVMs, and its folders of sources. */
    public Sources module(File folder, Collection<File> roots) {
        modules.putIfAbsent(folder.getAbsoluteFile(), new ArrayList<>(roots));
        return this;
    }

    /** The folders, or the word for none; empty if nothing is known, so that the command looks where it runs. */
    List<String> folders() {
        if (named.equals(List.of(NONE))) {
            return named;
        }
        Stream<File> folders = modules.entrySet().stream().flatMap(module -> folders(module.getKey(), module.getValue()));
        return folders.distinct().limit(MOST).map(File::getPath).collect(Collectors.toList());
    }

    private Stream<File> folders(File module, List<File> roots) {
        if (named.isEmpty()) {
            return Stream.concat(roots.stream(), USUAL.stream().map(usual -> new File(module, usual))).filter(File::isDirectory);
        }
        return named.stream().filter(path -> !path.isEmpty()).map(path -> module.toPath().resolve(path).toFile());
    }
}
