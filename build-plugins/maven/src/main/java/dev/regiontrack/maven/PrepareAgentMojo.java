package dev.regiontrack.maven;

import dev.regiontrack.plugins.Agent;
import dev.regiontrack.plugins.Reports;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/**
 * Puts the agent into the JVMs of the tests, through the property from which Surefire and Failsafe take their arguments. Each JVM leaves a report in
 * {@code target/regiontrack}; those of an earlier build are removed.
 */
@Mojo(name = "prepare-agent", defaultPhase = LifecyclePhase.INITIALIZE, threadSafe = true)
public class PrepareAgentMojo extends AbstractRegionTrackMojo {
    private static final String TYCHO = "eclipse-test-plugin";
    /** Plugins that run tests with the arguments of a property. */
    private static final List<String> RUNNERS =
        List.of("org.apache.maven.plugins:maven-surefire-plugin", "org.apache.maven.plugins:maven-failsafe-plugin");
    /** The key of a property's former value: what this goal has added to it is removed if the goal runs again. */
    private static final String BEFORE = PrepareAgentMojo.class.getName() + ".before.";
    private static final String CLEARED = PrepareAgentMojo.class.getName() + ".cleared.";

    /**
     * The property that gets the JVM's arguments, before those that it already has: {@code argLine}, or {@code tycho.testArgLine} for Tycho's tests.
     */
    @Parameter(property = "regiontrack.propertyName")
    private String propertyName;

    /** Options of the agent, as after its jar: {@code arrays=all,nested=false}. */
    @Parameter(property = "regiontrack.options")
    private String options;

    /** Classes to watch: {@code com.example.*:org.Other}. By default all outside the platform, except for test frameworks and build tools. */
    @Parameter(property = "regiontrack.include")
    private String include;

    /** Classes not to watch. */
    @Parameter(property = "regiontrack.exclude")
    private String exclude;

    /** The baseline of known findings. By default {@code regiontrack.baseline} in the module's folder, if it exists. */
    @Parameter(property = "regiontrack.baseline")
    private File baseline;

    /** Files of suppressions, for findings that nobody wants to see. By default {@code regiontrack.supp} in the module's folder, if it exists. */
    @Parameter(property = "regiontrack.suppressions")
    private List<File> suppressions;

    /**
     * Whether tests watch little else than what earlier builds saw threads share, by a profile in the local repository, under
     * {@code .cache/regiontrack}.
     */
    @Parameter(property = "regiontrack.guided", defaultValue = "false")
    private boolean guided;

    /** The profile, if it is to be another file. Without one, and without {@code guided}, everything is watched. */
    @Parameter(property = "regiontrack.profile")
    private File profile;

    @Parameter(defaultValue = "${settings.localRepository}", readonly = true, required = true)
    private File localRepository;

    /** The stack size of the main thread, unless the property or the environment sets one. Empty leaves it unchanged. */
    @Parameter(property = "regiontrack.stack", defaultValue = "8m")
    private String stack;

    /** More folders and jars with your own classes, in addition to those of the modules of this build. */
    @Parameter(property = "regiontrack.own")
    private List<File> own;

    @Override
    void run() throws MojoExecutionException {
        String name = name();
        clear();
        String before = before(name);
        StringBuilder all = new StringBuilder();
        for (String argument : arguments(before)) {
            all.append(quoted(argument)).append(' ');
        }
        all.append("-D").append(TestResults.MARK).append("=true ");
        String after = all.append(before).toString().trim();
        context().put(BEFORE + name, Map.entry(after, before));
        project.getProperties().setProperty(name, after);
        getLog().info(name + " set to " + after);
        warnOfOthers(name);
    }

    /** Defines the property: a test JVM does not start with an {@code @{argLine}} that nobody replaces. */
    @Override
    void skipped() {
        project.getProperties().putIfAbsent(name(), "");
    }

    private String name() {
        return propertyName != null ? propertyName : project.getPackaging().equals(TYCHO) ? "tycho.testArgLine" : "argLine";
    }

    private List<String> arguments(String before) throws MojoExecutionException {
        try {
            Agent agent = new Agent().options(options).include(include).exclude(exclude).profile(profile());
            File known = baseline != null ? baseline : existing("regiontrack.baseline");
            agent.baseline(known).withoutBaseline("mvn regiontrack:update-baseline  when the tests have run").ifPresent(getLog()::warn);
            if (suppressions != null && !suppressions.isEmpty()) {
                suppressions.forEach(agent::suppressions);
            } else {
                Optional.ofNullable(existing("regiontrack.supp")).ifPresent(agent::suppressions);
            }
            if (stack != null && !Agent.hasStack(before) && !Agent.environmentHasStack() && runners().noneMatch(Agent::hasStack)) {
                agent.stack(stack);
            }
            for (MavenProject module : session.getAllProjects()) {
                if (!module.getPackaging().equals(PARENT)) {
                    agent.own(new File(module.getBuild().getOutputDirectory())).own(new File(module.getBuild().getTestOutputDirectory()));
                }
            }
            if (own != null) {
                own.forEach(agent::own);
            }
            return agent.arguments(agent(), reportsDirectory);
        } catch (IllegalArgumentException e) {
            throw new MojoExecutionException(e.getMessage(), e);
        }
    }

    /** The profile that guides the tests; null if there is none. */
    private File profile() {
        return profile != null || !guided ? profile : Agent.profileIn(new File(localRepository, ".cache"), project.getGroupId() + '/' + project.getArtifactId());
    }

    /** What this plugin keeps for this module while Maven runs. */
    @SuppressWarnings("unchecked")
    private Map<String, Object> context() {
        return (Map<String, Object>) getPluginContext();
    }

    /** A file in the module's folder; null if it does not exist. */
    private File existing(String name) {
        File file = new File(project.getBasedir(), name);
        return file.isFile() ? file : null;
    }

    /** Removes the reports of an earlier build, once: a second execution in this module must not remove those of the first. */
    private void clear() throws MojoExecutionException {
        if (context().put(CLEARED + reportsDirectory, true) == null) {
            try {
                Reports.clear(reportsDirectory);
            } catch (IOException e) {
                throw new MojoExecutionException("cannot remove the reports of an earlier build: " + e, e);
            }
        }
    }

    /** The property's value before this goal changed it. */
    private String before(String name) {
        String now = project.getProperties().getProperty(name, "");
        Object known = context().get(BEFORE + name);
        return known instanceof Map.Entry && ((Map.Entry<?, ?>) known).getKey().equals(now) ? ((Map.Entry<?, ?>) known).getValue().toString() : now;
    }

    /** Warns if something keeps the property from the test runners: a setting that overrides it, or their own arguments. */
    private void warnOfOthers(String name) {
        if (session.getUserProperties().containsKey(name)) {
            getLog().warn("tests will run without the agent: -D" + name + "= on the command line is stronger; set it as a property in the pom");
        }
        runners().filter(line -> !line.contains("@{" + name + "}") && !line.contains("${" + name + "}")).forEach(line ->
            getLog().warn("tests will run without the agent: the pom sets <argLine>" + line + "</argLine>; write <argLine>@{" + name + "} " + line + "</argLine>"));
    }

    /** The arguments that the pom sets for test runners. */
    private Stream<String> runners() {
        return RUNNERS.stream().map(project::getPlugin).filter(Objects::nonNull).flatMap(plugin ->
            Stream.concat(Stream.of(Optional.ofNullable(plugin.getConfiguration())),
                plugin.getExecutions().stream().map(execution -> Optional.ofNullable(execution.getConfiguration()))))
            .flatMap(Optional::stream).map(configuration -> setting(configuration, "argLine")).flatMap(Optional::stream).distinct();
    }

    /** Quotes an argument as Surefire splits it: in quotation marks if there are blanks. */
    static String quoted(String argument) {
        String escaped = argument.replace("\\", "\\\\").replace("\"", "\\\"");
        return escaped.indexOf(' ') >= 0 || escaped.indexOf('"') >= 0 ? '"' + escaped + '"' : escaped;
    }
}
