package dev.regiontrack.gradle;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings in {@code regiontrack { .. }} of a build script. They are plain properties, because those with providers differ between versions of
 * Gradle.
 */
public class RegionTrackExtension {
    private boolean enabled = true;
    private String options = "";
    private String include = "";
    private String exclude = "";
    private File baseline;
    private List<File> suppressions = new ArrayList<>();
    private boolean guided;
    private File profile;
    private List<File> own = new ArrayList<>();
    private String stack = "8m";
    private List<String> formats = List.of("html", "sarif", "json");
    private boolean failOnViolation = true;
    private boolean failOnIncomplete = true;

    /** Whether the JVMs of tasks get the agent; a task can be excluded by its own {@code regiontrack.enabled}. */
    public boolean isEnabled() {
        return enabled;
    }

    /** Whether the JVMs of tasks get the agent; a task can be excluded by its own {@code regiontrack.enabled}. */
    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    /** Options of the agent, as after its jar: {@code arrays=all,nested=false}. */
    public String getOptions() {
        return options;
    }

    /** Options of the agent, as after its jar: {@code arrays=all,nested=false}. */
    public void setOptions(String options) {
        this.options = options;
    }

    /** Classes to watch: {@code com.example.*:org.Other}. By default all outside the platform, except for test frameworks and build tools. */
    public String getInclude() {
        return include;
    }

    /** Classes to watch: {@code com.example.*:org.Other}. By default all outside the platform, except for test frameworks and build tools. */
    public void setInclude(String include) {
        this.include = include;
    }

    /** Classes not to watch. */
    public String getExclude() {
        return exclude;
    }

    /** Classes not to watch. */
    public void setExclude(String exclude) {
        this.exclude = exclude;
    }

    /** The baseline of known findings. By default {@code regiontrack.baseline} in the project's folder, if it exists. */
    public File getBaseline() {
        return baseline;
    }

    /** The baseline of known findings. By default {@code regiontrack.baseline} in the project's folder, if it exists. */
    public void setBaseline(File baseline) {
        this.baseline = baseline;
    }

    /** Files of suppressions, for findings that nobody wants to see. By default {@code regiontrack.supp} in the project's folder, if it exists. */
    public List<File> getSuppressions() {
        return suppressions;
    }

    /** Files of suppressions, for findings that nobody wants to see. By default {@code regiontrack.supp} in the project's folder, if it exists. */
    public void setSuppressions(List<File> suppressions) {
        this.suppressions = suppressions;
    }

    /** The profile, with what earlier runs saw threads share, to watch little else. By default there is none, and everything is watched. */
    public File getProfile() {
        return profile;
    }

    /** The profile, with what earlier runs saw threads share, to watch little else. By default there is none, and everything is watched. */
    public void setProfile(File profile) {
        this.profile = profile;
    }

    /**
     * Whether tests watch little else than what earlier builds saw threads share, by a profile in the build's {@code .gradle}. {@code profile} names
     * another one.
     */
    public boolean isGuided() {
        return guided;
    }

    /**
     * Whether tests watch little else than what earlier builds saw threads share, by a profile in the build's {@code .gradle}. {@code profile} names
     * another one.
     */
    public void setGuided(boolean guided) {
        this.guided = guided;
    }

    /** More folders and jars with your own classes, in addition to those of this project and of the projects that it depends on. */
    public List<File> getOwn() {
        return own;
    }

    /** More folders and jars with your own classes, in addition to those of this project and of the projects that it depends on. */
    public void setOwn(List<File> own) {
        this.own = own;
    }

    /** The stack size of the main thread, unless a task or the environment sets one. Empty leaves it unchanged. */
    public String getStack() {
        return stack;
    }

    /** The stack size of the main thread, unless a task or the environment sets one. Empty leaves it unchanged. */
    public void setStack(String stack) {
        this.stack = stack;
    }

    /** The formats of the report: some of html, sarif, json, junit, markdown, text. */
    public List<String> getFormats() {
        return formats;
    }

    /** The formats of the report: some of html, sarif, json, junit, markdown, text. */
    public void setFormats(List<String> formats) {
        this.formats = formats;
    }

    /** Whether a violation fails the build. */
    public boolean isFailOnViolation() {
        return failOnViolation;
    }

    /** Whether a violation fails the build. */
    public void setFailOnViolation(boolean failOnViolation) {
        this.failOnViolation = failOnViolation;
    }

    /** Whether an incomplete answer fails the build: a JVM was killed or lost events. */
    public boolean isFailOnIncomplete() {
        return failOnIncomplete;
    }

    /** Whether an incomplete answer fails the build: a JVM was killed or lost events. */
    public void setFailOnIncomplete(boolean failOnIncomplete) {
        this.failOnIncomplete = failOnIncomplete;
    }
}
