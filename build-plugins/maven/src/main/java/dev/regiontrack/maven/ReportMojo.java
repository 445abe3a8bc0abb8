package dev.regiontrack.maven;

import dev.regiontrack.plugins.ReportFiles;
import dev.regiontrack.plugins.Sources;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/** Merges the reports that the JVMs of the module's tests have left into one. */
@Mojo(name = "report", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public class ReportMojo extends AbstractRegionTrackMojo {
    /** The folder of the merged report. */
    @Parameter(property = "regiontrack.outputDirectory", defaultValue = "${project.build.directory}/site/regiontrack", required = true)
    private File outputDirectory;

    /**
     * The formats of the merged report: {@code html} ({@code index.html}), {@code sarif}, {@code json}, {@code junit} ({@code regiontrack.xml}),
     * {@code markdown}, {@code text}.
     */
    @Parameter(property = "regiontrack.formats", defaultValue = "html,sarif,json")
    private List<String> formats;

    /** The options of the agent, of which {@code sources=} also determines the folders whose lines the merged report shows. */
    @Parameter(property = "regiontrack.options")
    private String options;

    @Override
    final void run() throws MojoExecutionException {
        List<File> reports = reports();
        if (reports.isEmpty()) {
            getLog().info("no report, because no JVM has left one in " + whereReports());
            return;
        }
        try {
            List<File> files = ReportFiles.in(outputDirectory, formats);
            command().merge(reports, files, sources());
            getLog().info("RegionTrack's report: " + shown(files.get(0)));
        } catch (IllegalArgumentException | IOException e) {
            throw new MojoExecutionException(e.getMessage(), e);
        }
    }

    /** The sources of this module, and then of the others, whose classes it can use. */
    private Sources sources() {
        Sources sources = new Sources(options);
        Stream.concat(Stream.of(project), session.getAllProjects().stream()).filter(module -> module.getBasedir() != null)
            .forEach(module -> sources.module(module.getBasedir(), roots(module)));
        return sources;
    }

    /** Copies the lists at once: other modules of a parallel build can be adding to theirs. */
    private static List<File> roots(MavenProject module) {
        List<String> roots = new ArrayList<>(module.getCompileSourceRoots());
        roots.addAll(module.getTestCompileSourceRoots());
        return roots.stream().map(File::new).collect(Collectors.toList());
    }

    /** The place that was searched for reports of JVMs. */
    String whereReports() {
        return shown(reportsDirectory);
    }
}
