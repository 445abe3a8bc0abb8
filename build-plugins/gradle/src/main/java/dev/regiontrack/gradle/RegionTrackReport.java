package dev.regiontrack.gradle;

import dev.regiontrack.plugins.ReportFiles;
import dev.regiontrack.plugins.Sources;
import java.io.File;
import java.io.IOException;
import java.util.List;
import org.gradle.api.GradleException;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.OutputDirectory;
import org.gradle.api.tasks.TaskAction;

/** Merges the reports that JVMs have left into one. */
public class RegionTrackReport extends RegionTrackTask {
    private File folder;
    private List<String> formats;
    private Sources sources = new Sources("");

    /** The folder of the merged report. */
    @OutputDirectory
    public File getFolder() {
        return folder;
    }

    /** The folder of the merged report. */
    public void setFolder(File folder) {
        this.folder = folder;
    }

    /** The formats of the merged report: some of html, sarif, json, junit, markdown, text. */
    @Input
    public List<String> getFormats() {
        return formats;
    }

    /** The formats of the merged report: some of html, sarif, json, junit, markdown, text. */
    public void setFormats(List<String> formats) {
        this.formats = formats;
    }

    /** The sources whose lines the merged report shows. */
    @Input
    public Sources getSources() {
        return sources;
    }

    /** The sources whose lines the merged report shows. */
    public void setSources(Sources sources) {
        this.sources = sources;
    }

    /** Merges the reports. */
    @TaskAction
    public void merge() {
        try {
            List<File> files = ReportFiles.in(folder, formats);
            command().merge(found(), files, sources);
            getLogger().lifecycle("RegionTrack's report: " + files.get(0));
        } catch (IOException | IllegalArgumentException e) {
            throw new GradleException(e.getMessage(), e);
        }
    }
}
