package dev.regiontrack.maven;

import dev.regiontrack.plugins.ReportFiles;
import java.io.File;
import java.io.IOException;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

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

    @Override
    final void run() throws MojoExecutionException {
        List<File> reports = reports();
        if (reports.isEmpty()) {
            getLog().info("no report, because no JVM has left one in " + whereReports());
            return;
        }
        try {
            List<File> files = ReportFiles.in(outputDirectory, formats);
            command().merge(reports, files);
            getLog().info("RegionTrack's report: " + shown(files.get(0)));
        } catch (IllegalArgumentException | IOException e) {
            throw new MojoExecutionException(e.getMessage(), e);
        }
    }

    /** The place that was searched for reports of JVMs. */
    String whereReports() {
        return shown(reportsDirectory);
    }
}
