package dev.regiontrack.gradle;

/** The settings in the {@code regiontrack { .. }} of one task of a build script. */
public class RegionTrackTaskExtension {
    private boolean enabled = true;

    /** Whether this task's JVMs get the agent. */
    public boolean isEnabled() {
        return enabled;
    }

    /** Whether this task's JVMs get the agent. */
    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }
}
