package dev.regiontrack.gradle;

import dev.regiontrack.plugins.Agent;
import dev.regiontrack.plugins.Command;
import dev.regiontrack.plugins.Reports;
import java.io.File;
import java.util.List;
import java.util.stream.Collectors;
import org.gradle.api.DefaultTask;
import org.gradle.api.file.FileCollection;
import org.gradle.api.tasks.InputFiles;
import org.gradle.api.tasks.PathSensitive;
import org.gradle.api.tasks.PathSensitivity;
import org.gradle.api.tasks.SkipWhenEmpty;

/** The base of tasks that read the reports of JVMs. If there are none, the tasks have no source, as Gradle says. */
public abstract class RegionTrackTask extends DefaultTask {
    private FileCollection agent;
    private FileCollection reports;

    /** Under {@code regiontrack run} nothing is judged, and the report of an earlier build stays. */
    RegionTrackTask() {
        onlyIf(task -> !Agent.ofEnvironment().isPresent());
    }

    /** The agent's jar, with the command that merges reports. */
    @InputFiles
    @PathSensitive(PathSensitivity.NONE)
    public FileCollection getAgent() {
        return agent;
    }

    /** The agent's jar, with the command that merges reports. */
    public void setAgent(FileCollection agent) {
        this.agent = agent;
    }

    /** The reports of JVMs, in JSON, and for the check also notes about tests without the agent. */
    @InputFiles
    @SkipWhenEmpty
    @PathSensitive(PathSensitivity.NAME_ONLY)
    public FileCollection getReports() {
        return reports;
    }

    /** The reports of JVMs, in JSON, and for the check also notes about tests without the agent. */
    public void setReports(FileCollection reports) {
        this.reports = reports;
    }

    /** The reports; Gradle has checked that there are files. */
    List<File> found() {
        return reports.getFiles().stream().filter(file -> !file.getName().equals(Reports.WITHOUT_AGENT)).sorted().collect(Collectors.toList());
    }

    /** The {@code regiontrack} command. */
    Command command() {
        return new Command(agent.getSingleFile());
    }
}
