package dev.regiontrack.maven;

import dev.regiontrack.plugins.ReportFiles;
import java.io.File;
import java.io.IOException;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** Makes one report of those that the JVMs of the module's tests have left. */
@Mojo(name = "report", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public class ReportMojo extends AbstractRegionTrackMojo {
    /** Where the report goes. */
    @Parameter(property = "regiontrack.outputDirectory", defaultValue = "${project.build.directory}/site/regiontrack", required = true)
    private File outputDirectory;

    /**
     * Its formats: {@code html} ({@code index.html}), {@code sarif}, {@code json}, {@code junit} ({@code regiontrack.xml}), {@code markdown},
     * {@code text}.
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

    /** Where reports of JVMs were looked for. */
    String whereReports() {
        return shown(reportsDirectory);
    }
}
