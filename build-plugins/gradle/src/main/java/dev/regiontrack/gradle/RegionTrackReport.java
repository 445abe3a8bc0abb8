package dev.regiontrack.gradle;

import dev.regiontrack.plugins.ReportFiles;
import java.io.File;
import java.io.IOException;
import java.util.List;
import org.gradle.api.GradleException;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.OutputDirectory;
import org.gradle.api.tasks.TaskAction;

/** Makes one report of those that JVMs have left. */
public class RegionTrackReport extends RegionTrackTask {
    private File folder;
    private List<String> formats;

    /** Where it goes. */
    @OutputDirectory
    public File getFolder() {
        return folder;
    }

    /** Where it goes. */
    public void setFolder(File folder) {
        this.folder = folder;
    }

    /** Its formats: some of html, sarif, json, junit, markdown, text. */
    @Input
    public List<String> getFormats() {
        return formats;
    }

    /** Its formats: some of html, sarif, json, junit, markdown, text. */
    public void setFormats(List<String> formats) {
        this.formats = formats;
    }

    /** Merges them. */
    @TaskAction
    public void merge() {
        try {
            List<File> files = ReportFiles.in(folder, formats);
            command().merge(found(), files);
            getLogger().lifecycle("RegionTrack's report: " + files.get(0));
        } catch (IOException | IllegalArgumentException e) {
            throw new GradleException(e.getMessage(), e);
        }
    }
}
