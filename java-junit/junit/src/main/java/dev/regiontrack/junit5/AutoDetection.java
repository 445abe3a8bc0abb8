package dev.regiontrack.junit5;

import dev.regiontrack.junit.Agent;
import org.junit.platform.launcher.LauncherDiscoveryListener;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Attaches the agent, if it is missing and available, and makes Jupiter detect the {@link RegionTrackExtension} on the class path, unless the user
 * has configured the detection of extensions. Other extensions are left alone if Jupiter can distinguish them (5.12 and later).
 */
public final class AutoDetection implements LauncherSessionListener, LauncherDiscoveryListener {
    private static final String ENABLED = "junit.jupiter.extensions.autodetection.enabled";
    private static final String INCLUDED = "junit.jupiter.extensions.autodetection.include";

    /** Whether the properties are set from here, and what the second one was before. */
    private static boolean areOurs;
    private static String before;

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        // If the agent is to be attached, the earlier, the better: before the test classes are loaded.
        Agent.here();
        session.getLauncher().registerLauncherDiscoveryListeners(this);
    }

    /**
     * Turns the detection on if nothing else does or prevents it: a parameter of the request, such as a build tool passes, a system property, or the
     * file {@code junit-platform.properties}. Only the request knows all of them. Who has turned it on wants their own extensions, too.
     */
    @Override
    public void launcherDiscoveryStarted(LauncherDiscoveryRequest request) {
        synchronized (AutoDetection.class) {
            try {
                if (areOurs) {
                    set(ENABLED, null);
                    set(INCLUDED, before);
                }
                areOurs = !request.getConfigurationParameters().get(ENABLED).isPresent();
                if (areOurs) {
                    before = System.getProperty(INCLUDED);
                    set(ENABLED, "true");
                    set(INCLUDED, "dev.regiontrack.*");
                }
            } catch (SecurityException e) {
                System.err.println("regiontrack-junit: " + ENABLED + " cannot be set: " + e.getMessage());
            }
        }
    }

    private static void set(String key, String value) {
        if (value == null) {
            System.clearProperty(key);
        } else {
            System.setProperty(key, value);
        }
    }
}
