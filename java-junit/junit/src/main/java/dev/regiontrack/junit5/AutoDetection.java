package dev.regiontrack.junit5;

import dev.regiontrack.junit.Agent;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Properties;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Attaches the agent, if it is not there and can be had, and lets Jupiter find the {@link RegionTrackExtension} on the class path, unless the user has said of extensions whether they are to be found. Those of others are left
 * alone where Jupiter can tell them apart (5.12 and later).
 */
public final class AutoDetection implements LauncherSessionListener {
    private static final String ENABLED = "junit.jupiter.extensions.autodetection.enabled";
    private static final String INCLUDED = "junit.jupiter.extensions.autodetection.include";
    private static final String FILE = "junit-platform.properties";

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        // If it is to be attached, the earlier, the better: before the classes of the tests are loaded.
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

    /** What a system property says would decide over the user's file. */
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
            // JUnit says so.
            return false;
        }
        return properties.containsKey(ENABLED);
    }
}
