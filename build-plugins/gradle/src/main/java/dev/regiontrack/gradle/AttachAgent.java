package dev.regiontrack.gradle;

import dev.regiontrack.plugins.Agent;
import dev.regiontrack.plugins.Reports;
import java.io.File;
import java.io.IOException;
import org.gradle.api.Action;
import org.gradle.api.GradleException;
import org.gradle.api.Task;
import org.gradle.api.file.FileCollection;
import org.gradle.api.tasks.testing.Test;
import org.gradle.process.JavaForkOptions;

/**
 * The first action of a task that starts JVMs: removes the reports of its last run and adds the agent to the JVMs' arguments. It holds only plain
 * values and collections of files, and does not access the project, as the configuration cache of new Gradle versions requires.
 */
final class AttachAgent implements Action<Task> {
    private final Agent agent;
    private final FileCollection jar;
    private final FileCollection own;
    private final File reports;

    AttachAgent(Agent agent, FileCollection jar, FileCollection own, File reports) {
        this.agent = agent;
        this.jar = jar;
        this.own = own;
        this.reports = reports;
    }

    @Override
    public void execute(Task task) {
        JavaForkOptions options = (JavaForkOptions) task;
        if (Agent.ofEnvironment().isPresent()) {
            task.getLogger().lifecycle("RegionTrack is skipped in " + task.getPath() + ": " + Agent.ofEnvironment().get());
            return;
        }
        boolean hasStack = Agent.environmentHasStack() || options.getJvmArgs().stream().anyMatch(Agent::hasStack);
        agent.withoutBaseline("gradle regiontrackBaseline  when the tests have run").ifPresent(task.getLogger()::warn);
        try {
            Reports.clear(reports);
            options.jvmArgs(agent.with(own.getFiles(), !hasStack).arguments(jar.getSingleFile(), reports));
            if (task instanceof Test) {
                ((Test) task).addTestListener(new AgentCheck(reports));
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new GradleException(e.getMessage(), e);
        }
    }
}
