package dev.regiontrack.plugins;

import java.io.File;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The agent for one JVM that a build starts: what its arguments are. A build tool's plugin fills it in; what is not set is left to the agent's
 * defaults.
 */
public final class Agent implements Serializable {
    private static final long serialVersionUID = 1;

    /** The name of the report that a JVM leaves, in its folder; the agent puts the process id in. */
    private static final String REPORT = "report-%p.json";
    /** The folder, in that of the reports, of the schedules that tests with {@code @Provoke} leave. */
    private static final String SCHEDULES = "schedules";
    /** Options of the agent that each JVM gets from here, and why. */
    private static final Map<String, String> OURS = Map.of(
        "report", "each JVM writes its own, which are merged",
        "format", "each JVM writes JSON, which is merged",
        "overwrite", "reports of earlier builds are removed before",
        "exitcode", "a test JVM that ends with a code of its own is taken for crashed; the check fails the build");

    /** The option of a JVM for an agent of this project, between quotes, where its path can have spaces, or not. */
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
     * Options as after the agent's jar, such as {@code arrays=all,nested=false}. They are stronger than what is set here in another way.
     *
     * @throws IllegalArgumentException one is set that each JVM gets from here
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

    /** Patterns of classes to watch, with colons, commas or blanks between them. */
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

    /** The findings that are known; null for none. If there is no such file, none is known. */
    public Agent baseline(File file) {
        baseline = file == null ? null : file.getAbsoluteFile();
        return this;
    }

    /** A line about a baseline that is not there, if one was named. {@code fix} is how to make it. */
    public Optional<String> withoutBaseline(String fix) {
        return Optional.ofNullable(baseline).filter(file -> !file.isFile()).map(file -> "baseline " + file + " is not there, so that no finding is known; make it with  " + fix);
    }

    /** A file of findings that nobody wants to be told of. */
    public Agent suppressions(File file) {
        suppressions.add(file.getAbsoluteFile());
        return this;
    }

    /** What earlier runs have seen threads share; null to watch everything. The first of them writes it. */
    public Agent profile(File file) {
        profile = file == null ? null : file.getAbsoluteFile();
        return this;
    }

    /** Where a build tool keeps the profile of a project in this folder of its own, which outlives a clean build. {@code project} is a path of names. */
    public static File profileIn(File cache, String project) {
        return new File(cache, "regiontrack/" + project + ".profile");
    }

    /** A folder or jar with classes that are the user's own. It need not be there yet. */
    public Agent own(File folder) {
        own.add(folder.getAbsoluteFile());
        return this;
    }

    /** The stack of the main thread, as {@code -Xss} takes it; null or empty to leave it as it is. */
    public Agent stack(String size) {
        stack = size == null ? "" : size.trim();
        return this;
    }

    /** The same with more folders and jars of the user's own, and, if it is so, with no stack size. */
    public Agent with(Iterable<File> more, boolean stackToo) {
        Agent agent = new Agent().options(options).include(include).exclude(exclude).stack(stackToo ? stack : "").baseline(baseline).profile(profile);
        suppressions.forEach(agent::suppressions);
        own.forEach(agent::own);
        more.forEach(agent::own);
        return agent;
    }

    /**
     * The JVM's arguments: those for the agent in this jar, whose report goes into this folder. Makes the folder of a profile, which the first run writes.
     *
     * @throws IllegalArgumentException a file of suppressions is not there
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
            // If that fails, the agent says so.
            profile.getParentFile().mkdirs();
            add(all, arguments, "profile", profile.getPath());
        }
        arguments.add("-javaagent:" + jar.getAbsolutePath() + '=' + all);
        return arguments;
    }

    /** Whether one of the options begins so. */
    private boolean has(String start) {
        return Arrays.stream(options.split(",")).anyMatch(option -> option.trim().startsWith(start));
    }

    /** The agent's options have commas between them. A value with one is a system property instead. */
    private static void add(StringBuilder all, List<String> arguments, String key, String value) {
        if (value.indexOf(',') >= 0) {
            arguments.add("-Dregiontrack." + key + '=' + value);
        } else {
            all.append(all.length() == 0 ? "" : ",").append(key).append('=').append(value);
        }
    }

    /** Why a build judges nothing: every JVM has an agent from the environment, beside which another one is left out. Empty if not. */
    public static Optional<String> ofEnvironment() {
        return isIn(System.getenv("JAVA_TOOL_OPTIONS")) || isIn(System.getenv("JDK_JAVA_OPTIONS"))
            ? Optional.of("each JVM has the agent from the environment, as by regiontrack run, which reports what it finds")
            : Optional.empty();
    }

    /** Whether options of a JVM have the agent, between quotes or not. */
    static boolean isIn(String options) {
        return options != null && AGENT.matcher(options).find();
    }

    /** Whether the words of a command line say how large stacks are. */
    public static boolean hasStack(String words) {
        return words != null && words.contains("-Xss");
    }

    /** The same of what every JVM takes from the environment. */
    public static boolean environmentHasStack() {
        return hasStack(System.getenv("JDK_JAVA_OPTIONS")) || hasStack(System.getenv("JAVA_TOOL_OPTIONS"));
    }
}
