package dev.regiontrack.junit5;

import dev.regiontrack.junit.Agent;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Properties;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Attaches the agent, if it is missing and available, and makes Jupiter detect the {@link RegionTrackExtension} on the class path, unless the user
 * has configured the detection of extensions. Other extensions are left alone if Jupiter can distinguish them (5.12 and later).
 */
public final class AutoDetection implements LauncherSessionListener {
    private static final String ENABLED = "junit.jupiter.extensions.autodetection.enabled";
    private static final String INCLUDED = "junit.jupiter.extensions.autodetection.include";
    private static final String FILE = "junit-platform.properties";

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        // If the agent is to be attached, the earlier, the better: before the test classes are loaded.
        Agent.here();
        try {
            if (System.getProperty(ENABLED) == null && !isConfigured()) {
                System.setProperty(ENABLED, "true");
                System.setProperty(INCLUDED, "dev.regiontrack.*");
            }
        } catch (SecurityException e) {
            System.err.println("regiontrack-junit: " + ENABLED + " cannot be set: " + e.getMessage());
        }
    }

    /** Whether the user's file configures the detection; a system property would override it. */
    private static boolean isConfigured() {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        URL file = (loader == null ? ClassLoader.getSystemClassLoader() : loader).getResource(FILE);
        if (file == null) {
            return false;
        }
        Properties properties = new Properties();
        try (InputStream in = file.openStream()) {
            properties.load(in);
        } catch (IOException | IllegalArgumentException e) {
            // JUnit reports this.
            return false;
        }
        return properties.containsKey(ENABLED);
    }
}
