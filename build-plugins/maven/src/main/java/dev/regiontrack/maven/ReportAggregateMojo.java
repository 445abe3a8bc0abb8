package dev.regiontrack.maven;

import dev.regiontrack.plugins.Reports;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/**
 * Makes one report of all modules of the build, after their tests: {@code mvn verify regiontrack:report-aggregate}. It reads the folder
 * {@code regiontrack} in each module's build folder.
 */
@Mojo(name = "report-aggregate", aggregator = true, threadSafe = true)
public class ReportAggregateMojo extends ReportMojo {
    @Parameter(defaultValue = "${session}", readonly = true, required = true)
    private MavenSession session;

    @Override
    boolean isOfModule() {
        return false;
    }

    @Override
    List<File> reports() {
        List<File> folders = new ArrayList<>();
        for (MavenProject module : session.getProjects()) {
            folders.add(new File(module.getBuild().getDirectory(), "regiontrack"));
        }
        return Reports.in(folders);
    }

    @Override
    String whereReports() {
        return "the modules' folders target/regiontrack";
    }
}
