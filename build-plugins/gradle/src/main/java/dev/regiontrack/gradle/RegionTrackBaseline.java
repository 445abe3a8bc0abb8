package dev.regiontrack.gradle;

import java.io.File;
import java.io.IOException;
import org.gradle.api.GradleException;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.TaskAction;

/** Adds what JVMs have shown to the baseline. From then on it is known, and fails no build. */
public class RegionTrackBaseline extends RegionTrackTask {
    private File baseline;
    private boolean prune;

    /** The file, which is made if it is not there. */
    @Internal
    public File getBaseline() {
        return baseline;
    }

    /** The file, which is made if it is not there. */
    public void setBaseline(File baseline) {
        this.baseline = baseline;
    }

    /** Whether what was not shown is taken out. A run can miss a finding because of its schedule. */
    @Internal
    public boolean isPrune() {
        return prune;
    }

    /** Whether what was not shown is taken out. A run can miss a finding because of its schedule. */
    public void setPrune(boolean prune) {
        this.prune = prune;
    }

    /** Adds them. */
    @TaskAction
    public void update() {
        try {
            getLogger().lifecycle(command().updateBaseline(baseline, prune, found()));
        } catch (IOException e) {
            throw new GradleException("regiontrack: " + e.getMessage(), e);
        }
    }
}
