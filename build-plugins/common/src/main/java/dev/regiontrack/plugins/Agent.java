package dev.regiontrack.plugins;

import java.io.File;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The agent for one JVM that a build starts, and its arguments. A build tool's plugin fills it in; what is not set is left to the agent's defaults.
 */
public final class Agent implements Serializable {
    private static final long serialVersionUID = 1;

    /** The name of a JVM's report in its folder; the agent inserts the process id. */
    private static final String REPORT = "report-%p.json";
    /** The folder, inside that of the reports, for the schedules that tests with {@code @Provoke} leave. */
    private static final String SCHEDULES = "schedules";
    /** Agent options that this class sets for each JVM, and why. */
    private static final Map<String, String> OURS = Map.of(
        "report", "each JVM writes its own, which are merged",
        "format", "each JVM writes JSON, which is merged",
        "overwrite", "reports of earlier builds are removed before",
        "exitcode", "a test JVM that ends with a code of its own is taken for crashed; the check fails the build");

    /** Agent options with a file that determines what is found. */
    private static final Set<String> READ = Set.of("spec", "models", "config", "suppressions", "baseline");
    private static final String PROFILE = "profile=";

    /** The JVM option for an agent of this project: between quotes, where its path may have spaces, or not. */
    private static final Pattern AGENT = Pattern.compile("\"-javaagent:[^\"=]*regiontrack[^\"=/\\\\]*\\.jar|-javaagent:[^\\s\"=]*regiontrack[^\\s\"=/\\\\]*\\.jar");

    private String options = "";
    private String include = "";
    private String exclude = "";
    private String stack = "";
    private File baseline;
    private File profile;
    private final List<File> suppressions = new ArrayList<>();
    private final List<File> own = new ArrayList<>();

    /**
     * Options as after the agent's jar, such as {@code arrays=all,nested=false}. They take precedence over what other methods set.
     *
     * @throws IllegalArgumentException if one is set that this class sets
     */
    public Agent options(String text) {
        options = text == null ? "" : text.trim();
        for (String option : options.split(",")) {
            String key = option.split("=", 2)[0].trim();
            if (OURS.containsKey(key)) {
                throw new IllegalArgumentException("regiontrack options: " + key + "= cannot be set here: " + OURS.get(key));
            }
        }
        return this;
    }

    /** The files that the options name, as they are written there, whose contents determine what is found. Others, such as a profile, are written. */
    public List<String> filesOfOptions() {
        return each().map(option -> option.split("=", 2)).filter(option -> option.length == 2 && READ.contains(option[0])).map(option -> option[1])
            .collect(Collectors.toList());
    }

    /** Whether a profile guides the JVMs, so that they watch less than they otherwise would, and not the same in each run. */
    public boolean isGuided() {
        return profile != null || has(PROFILE);
    }

    /** Patterns of classes to watch, separated by colons, commas or blanks. */
    public Agent include(String patterns) {
        include = patterns(patterns);
        return this;
    }

    /** Patterns of classes not to watch. */
    public Agent exclude(String patterns) {
        exclude = patterns(patterns);
        return this;
    }

    private static String patterns(String text) {
        return text == null ? "" : String.join(":", text.trim().split("[:,\\s]+"));
    }

    /** The baseline of known findings; null for none. If there is no such file, no finding is known. */
    public Agent baseline(File file) {
        baseline = file == null ? null : file.getAbsoluteFile();
        return this;
    }

    /** A line about a missing baseline, if one was named. {@code fix} says how to make it. */
    public Optional<String> withoutBaseline(String fix) {
        return Optional.ofNullable(baseline).filter(file -> !file.isFile()).map(file -> "baseline " + file + " is not there, so that no finding is known; make it with  " + fix);
    }

    /** A file of suppressions, for findings that nobody wants to see. */
    public Agent suppressions(File file) {
        suppressions.add(file.getAbsoluteFile());
        return this;
    }

    /** The profile, with what earlier runs saw threads share; null to watch everything. The first run writes it. */
    public Agent profile(File file) {
        profile = file == null ? null : file.getAbsoluteFile();
        return this;
    }

    /**
     * The file in which a build tool keeps a project's profile, in its cache folder, which outlives a clean build. {@code project} is a path of
     * names.
     */
    public static File profileIn(File cache, String project) {
        return new File(cache, "regiontrack/" + project + ".profile");
    }

    /** A folder or jar with the user's own classes. It need not exist yet. */
    public Agent own(File folder) {
        own.add(folder.getAbsoluteFile());
        return this;
    }

    /** The stack size of the main thread, as {@code -Xss} takes it; null or empty to leave it unchanged. */
    public Agent stack(String size) {
        stack = size == null ? "" : size.trim();
        return this;
    }

    /** A copy with more folders and jars of the user's own; it has the stack size only if {@code stackToo}. */
    public Agent with(Iterable<File> more, boolean stackToo) {
        Agent agent = new Agent().options(options).include(include).exclude(exclude).stack(stackToo ? stack : "").baseline(baseline).profile(profile);
        suppressions.forEach(agent::suppressions);
        own.forEach(agent::own);
        more.forEach(agent::own);
        return agent;
    }

    /**
     * The JVM's arguments for the agent in {@code jar}, whose report goes to the folder {@code reports}. Creates the folder of a profile, which the
     * first run writes.
     *
     * @throws IllegalArgumentException if a file of suppressions is missing
     */
    public List<String> arguments(File jar, File reports) {
        for (File file : suppressions) {
            if (!file.isFile()) {
                throw new IllegalArgumentException("regiontrack suppressions: " + file + ": no such file; write a line for each, such as method:com.example.Cache.**");
            }
        }
        List<String> arguments = new ArrayList<>();
        if (!stack.isEmpty()) {
            arguments.add("-Xss" + stack);
        }
        StringBuilder all = new StringBuilder(options);
        add(all, arguments, "format", "json");
        add(all, arguments, "report", new File(reports.getAbsoluteFile(), REPORT).getPath());
        if (has("provoke=tests") && !has("schedules=")) {
            add(all, arguments, "schedules", new File(reports.getAbsoluteFile(), SCHEDULES).getPath());
        }
        if (!include.isEmpty()) {
            add(all, arguments, "include", include);
        }
        if (!exclude.isEmpty()) {
            add(all, arguments, "exclude", exclude);
        }
        if (!own.isEmpty()) {
            StringBuilder folders = new StringBuilder();
            own.forEach(folder -> folders.append(folders.length() == 0 ? "" : ":").append(folder));
            add(all, arguments, "own", folders.toString());
        }
        if (baseline != null && baseline.isFile()) {
            add(all, arguments, "baseline", baseline.getPath());
        }
        suppressions.forEach(file -> add(all, arguments, "suppressions", file.getPath()));
        if (profile != null) {
            // If this fails, the agent reports it.
            profile.getParentFile().mkdirs();
            add(all, arguments, "profile", profile.getPath());
        }
        arguments.add("-javaagent:" + jar.getAbsolutePath() + '=' + all);
        return arguments;
    }

    /** Whether one of the options starts with {@code start}. */
    private boolean has(String start) {
        return each().anyMatch(option -> option.startsWith(start));
    }

    private Stream<String> each() {
        return Arrays.stream(options.split(",")).map(String::trim);
    }

    /** Adds an option. Options are separated by commas, so a value with a comma becomes a system property instead. */
    private static void add(StringBuilder all, List<String> arguments, String key, String value) {
        if (value.indexOf(',') >= 0) {
            arguments.add("-Dregiontrack." + key + '=' + value);
        } else {
            all.append(all.length() == 0 ? "" : ",").append(key).append('=').append(value);
        }
    }

    /** Why a build judges nothing: every JVM already has an agent from the environment, beside which no other is added. Otherwise empty. */
    public static Optional<String> ofEnvironment() {
        return isIn(System.getenv("JAVA_TOOL_OPTIONS")) || isIn(System.getenv("JDK_JAVA_OPTIONS"))
            ? Optional.of("each JVM has the agent from the environment, as by regiontrack run, which reports what it finds")
            : Optional.empty();
    }

    /** Whether a JVM's options contain the agent, between quotes or not. */
    static boolean isIn(String options) {
        return options != null && AGENT.matcher(options).find();
    }

    /** Whether the words of a command line set a stack size. */
    public static boolean hasStack(String words) {
        return words != null && words.contains("-Xss");
    }

    /** Whether the environment sets a stack size for every JVM. */
    public static boolean environmentHasStack() {
        return hasStack(System.getenv("JDK_JAVA_OPTIONS")) || hasStack(System.getenv("JAVA_TOOL_OPTIONS"));
    }
}
