package dev.regiontrack.gradle;

import dev.regiontrack.build.Command;
import java.io.File;
import java.util.List;
import java.util.stream.Collectors;
import org.gradle.api.DefaultTask;
import org.gradle.api.file.FileCollection;
import org.gradle.api.tasks.InputFiles;
import org.gradle.api.tasks.PathSensitive;
import org.gradle.api.tasks.PathSensitivity;

/** What tasks have that read the reports of JVMs. */
public abstract class RegionTrackTask extends DefaultTask {
    private FileCollection agent;
    private FileCollection reports;

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

    /** The reports of JVMs, in JSON. */
    @InputFiles
    @PathSensitive(PathSensitivity.NAME_ONLY)
    public FileCollection getReports() {
        return reports;
    }

    /** The reports of JVMs, in JSON. */
    public void setReports(FileCollection reports) {
        this.reports = reports;
    }

    /** Those that are there; if none is, says so. */
    List<File> found() {
        List<File> found = reports.getFiles().stream().sorted().collect(Collectors.toList());
        if (found.isEmpty()) {
            getLogger().lifecycle("no report of a JVM: no test and no program has run under RegionTrack's agent");
        }
        return found;
    }

    /** The {@code regiontrack} command. */
    Command command() {
        return new Command(agent.getSingleFile());
    }
}
