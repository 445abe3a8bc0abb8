package dev.regiontrack.maven;

import dev.regiontrack.plugins.Command;
import dev.regiontrack.plugins.Reports;
import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/** What all goals share: the module, the agent's jar, the folder of the JVMs' reports, and a way to skip everything. */
abstract class AbstractRegionTrackMojo extends AbstractMojo {
    /** The agent's jar among the plugin's artifacts. */
    private static final String AGENT = "dev.regiontrack:regiontrack-agent";

    /** The property for the folder of the JVMs' reports, and its usual name, in the build folder. */
    static final String REPORTS_PROPERTY = "regiontrack.reportsDirectory";
    static final String REPORTS = "regiontrack";

    /** The packaging of modules without classes. */
    static final String PARENT = "pom";

    /** The module. */
    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    protected MavenProject project;

    /** This call of Maven. */
    @Parameter(defaultValue = "${session}", readonly = true, required = true)
    protected MavenSession session;

    @Parameter(defaultValue = "${plugin.artifactMap}", readonly = true, required = true)
    private Map<String, Artifact> pluginArtifacts;

    /** Whether to do nothing: the tests run as without the plugin. */
    @Parameter(property = "regiontrack.skip", defaultValue = "false")
    private boolean skip;

    /** The folder in which each JVM leaves its report, in JSON. */
    @Parameter(property = REPORTS_PROPERTY, defaultValue = "${project.build.directory}/" + REPORTS, required = true)
    protected File reportsDirectory;

    @Override
    public final void execute() throws MojoExecutionException, MojoFailureException {
        if (skip) {
            getLog().info("RegionTrack is skipped: regiontrack.skip is set");
            skipped();
        } else if (isOfModule() && project.getPackaging().equals(PARENT)) {
            getLog().debug("nothing to do: a module of packaging pom has no classes and no tests");
        } else {
            run();
        }
    }

    /** False for a goal that is about all modules. */
    boolean isOfModule() {
        return true;
    }

    /** Does what a build relies on even if everything is skipped. */
    void skipped() {
    }

    abstract void run() throws MojoExecutionException, MojoFailureException;

    /** The agent's jar. */
    final File agent() throws MojoExecutionException {
        Artifact agent = pluginArtifacts.get(AGENT);
        if (agent == null || agent.getFile() == null) {
            throw new MojoExecutionException(AGENT + " is not among the plugin's artifacts; do not exclude it");
        }
        return agent.getFile();
    }

    /** The {@code regiontrack} command. */
    final Command command() throws MojoExecutionException {
        return new Command(agent());
    }

    /** The reports of this module's JVMs. */
    List<File> reports() {
        return Reports.in(List.of(reportsDirectory));
    }

    /** A setting in the configuration of a plugin, whose text is XML. */
    static Optional<String> setting(Object configuration, String name) {
        Matcher found = Pattern.compile("<" + name + "\\b[^>]*>(.*?)</" + name + ">", Pattern.DOTALL).matcher(String.valueOf(configuration));
        return found.find() ? Optional.of(found.group(1).trim()) : Optional.empty();
    }

    /** A path as a person would type it: from the folder where Maven was started, if it is below that. */
    static String shown(File file) {
        String here = System.getProperty("user.dir") + File.separator;
        String path = file.getAbsolutePath();
        return path.startsWith(here) ? path.substring(here.length()) : path;
    }
}
