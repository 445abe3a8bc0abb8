package dev.regiontrack.maven;

import java.io.File;
import java.io.IOException;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * Adds the findings of the tests to the baseline: {@code mvn regiontrack:update-baseline} after a build with the tests. From then on they are known,
 * and fail no build.
 */
@Mojo(name = "update-baseline", threadSafe = true)
public class UpdateBaselineMojo extends AbstractRegionTrackMojo {
    /** The baseline file, which is created if missing. */
    @Parameter(property = "regiontrack.baseline", defaultValue = "${project.basedir}/regiontrack.baseline", required = true)
    private File baseline;

    /** Whether to remove findings that these tests did not find. A run can miss a finding because of its schedule. */
    @Parameter(property = "regiontrack.prune", defaultValue = "false")
    private boolean prune;

    @Override
    void run() throws MojoExecutionException {
        List<File> reports = reports();
        if (reports.isEmpty()) {
            getLog().info("no finding to add: no JVM has left a report in " + shown(reportsDirectory) + "; run the tests before, as by  mvn verify");
            return;
        }
        try {
            getLog().info(command().updateBaseline(baseline, prune, reports));
        } catch (IOException e) {
            throw new MojoExecutionException(e.getMessage(), e);
        }
    }
}
