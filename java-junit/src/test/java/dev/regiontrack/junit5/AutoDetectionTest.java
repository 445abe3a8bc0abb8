package dev.regiontrack.junit5;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.util.ServiceLoader;
import java.util.stream.StreamSupport;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.jupiter.api.extension.Extension;
import org.junit.platform.launcher.LauncherSessionListener;
import org.junit.rules.TemporaryFolder;

/** Jupiter finds the extension, unless the user has decided otherwise. */
public class AutoDetectionTest {
    private static final String ENABLED = "junit.jupiter.extensions.autodetection.enabled";
    private static final String INCLUDED = "junit.jupiter.extensions.autodetection.include";
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @After
    public void restore() {
        Thread.currentThread().setContextClassLoader(before);
        System.clearProperty(ENABLED);
        System.clearProperty(INCLUDED);
    }

    /** Opens a session with this file for JUnit on the class path. */
    private void open(String properties) throws Exception {
        File file = folder.newFile("junit-platform.properties");
        Files.writeString(file.toPath(), properties);
        try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.getRoot().toURI().toURL()}, before)) {
            Thread.currentThread().setContextClassLoader(loader);
            new AutoDetection().launcherSessionOpened(null);
        }
    }

    @Test
    public void services_name_both_classes() {
        assertEquals(1, StreamSupport.stream(ServiceLoader.load(Extension.class).spliterator(), false).filter(RegionTrackExtension.class::isInstance).count());
        assertEquals(1, StreamSupport.stream(ServiceLoader.load(LauncherSessionListener.class).spliterator(), false).filter(AutoDetection.class::isInstance).count());
    }

    @Test
    public void extensions_are_found_if_nobody_has_said_anything() throws Exception {
        open("junit.jupiter.execution.parallel.enabled=true\n");
        assertEquals("true", System.getProperty(ENABLED));
        assertEquals("dev.regiontrack.*", System.getProperty(INCLUDED));
    }

    @Test
    public void a_property_and_a_file_of_the_users_decide() throws Exception {
        open(ENABLED + "=false\n");
        assertNull(System.getProperty(ENABLED));
        System.setProperty(ENABLED, "false");
        new AutoDetection().launcherSessionOpened(null);
        assertEquals("false", System.getProperty(ENABLED));
        assertNull(System.getProperty(INCLUDED));
    }
}
