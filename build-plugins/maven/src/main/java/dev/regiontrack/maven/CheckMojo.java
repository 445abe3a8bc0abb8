package dev.regiontrack.maven;

import dev.regiontrack.plugins.Agent;
import dev.regiontrack.plugins.Judgement;
import java.io.File;
import java.io.IOException;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** Fails the build if the tests have found a violation that is neither suppressed nor known, or if their answer is incomplete. */
@Mojo(name = "check", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public class CheckMojo extends AbstractRegionTrackMojo {
    /** Whether a violation fails the build. */
    @Parameter(property = "regiontrack.failOnViolation", defaultValue = "true")
    private boolean failOnViolation;

    /** Whether an incomplete answer fails the build: a JVM was killed or lost events, or tests ran without the agent. */
    @Parameter(property = "regiontrack.failOnIncomplete", defaultValue = "true")
    private boolean failOnIncomplete;

    /** The folder in which the goal {@code report} has put the report. */
    @Parameter(property = "regiontrack.outputDirectory", defaultValue = "${project.build.directory}/site/regiontrack", required = true)
    private File outputDirectory;

    @Override
    void run() throws MojoExecutionException, MojoFailureException {
        List<File> reports = reports();
        if (reports.isEmpty()) {
            withoutReport();
        } else {
            judge(reports);
            // With a report of another runner's JVMs, too, the answer lacks everything about these tests.
            List<String> runners = TestResults.withoutAgent(build(), session.getStartTime());
            if (!runners.isEmpty()) {
                lacks("tests of " + String.join(" and ", runners));
            }
        }
    }

    private File build() {
        return new File(project.getBuild().getDirectory());
    }

    private void judge(List<File> reports) throws MojoExecutionException, MojoFailureException {
        Judgement judgement;
        try {
            judgement = command().judge(reports);
        } catch (IOException e) {
            throw new MojoExecutionException(e.getMessage(), e);
        }
        boolean fails = judgement.isViolation() && failOnViolation || judgement.isIncomplete() && failOnIncomplete;
        for (String line : judgement.lines()) {
            if (fails) {
                getLog().error(line);
            } else if (judgement.isViolation() || judgement.isIncomplete()) {
                getLog().warn(line);
            } else {
                getLog().info(line);
            }
        }
        if (fails) {
            throw new MojoFailureException(judgement.lines().get(0) + "; see " + shown(where()));
        }
    }

    /** The page for a browser if there is one, otherwise the folder of the reports. */
    private File where() {
        File page = new File(outputDirectory, "index.html");
        return page.isFile() ? page : reportsDirectory;
    }

    /**
     * Handles a module without reports. If tests ran in a JVM without the agent, the answer lacks everything; without tests, there is nothing to
     * answer.
     */
    private void withoutReport() throws MojoFailureException {
        if (!TestResults.areIn(build(), session.getStartTime())) {
            getLog().info("nothing to check: no tests have run");
            return;
        }
        if (Agent.ofEnvironment().isPresent()) {
            getLog().info("nothing to check: " + Agent.ofEnvironment().get());
            return;
        }
        lacks("tests");
    }

    /** Fails, or warns, because these tests ran in a JVM without the agent. */
    private void lacks(String tests) throws MojoFailureException {
        String why = tests + " have run, and no JVM with the agent: the goal prepare-agent must run before them, their <argLine> must contain @{argLine},"
            + " and forkCount must not be 0";
        if (failOnIncomplete) {
            throw new MojoFailureException(why);
        }
        getLog().warn(why);
    }
}
