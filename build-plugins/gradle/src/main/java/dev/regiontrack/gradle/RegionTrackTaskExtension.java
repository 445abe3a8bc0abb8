package dev.regiontrack.gradle;

/** What a build script says in the {@code regiontrack { .. }} of one task. */
public class RegionTrackTaskExtension {
    private boolean enabled = true;

    /** Whether the agent is put into this task's JVMs. */
    public boolean isEnabled() {
        return enabled;
    }

    /** Whether the agent is put into this task's JVMs. */
    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }
}
