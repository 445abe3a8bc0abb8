package dev.regiontrack.junit5;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.StreamSupport;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.jupiter.api.extension.Extension;
import org.junit.platform.launcher.LauncherSessionListener;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
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

    /** Begins to look for tests, with this file for JUnit on the class path and this parameter of the request. */
    private void look(String properties, Map<String, String> parameters) throws Exception {
        Files.writeString(new File(folder.getRoot(), "junit-platform.properties").toPath(), properties);
        try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.getRoot().toURI().toURL()}, before)) {
            Thread.currentThread().setContextClassLoader(loader);
            new AutoDetection().launcherDiscoveryStarted(LauncherDiscoveryRequestBuilder.request().configurationParameters(parameters).build());
        }
    }

    @Test
    public void services_name_both_classes() {
        assertEquals(1, StreamSupport.stream(ServiceLoader.load(Extension.class).spliterator(), false).filter(RegionTrackExtension.class::isInstance).count());
        assertEquals(1, StreamSupport.stream(ServiceLoader.load(LauncherSessionListener.class).spliterator(), false).filter(AutoDetection.class::isInstance).count());
    }

    @Test
    public void extensions_are_found_if_nobody_has_said_anything() throws Exception {
        look("junit.jupiter.execution.parallel.enabled=true\n", Map.of());
        assertEquals("true", System.getProperty(ENABLED));
        assertEquals("dev.regiontrack.*", System.getProperty(INCLUDED));
    }

    @Test
    public void a_property_a_file_and_a_parameter_of_the_users_decide() throws Exception {
        look(ENABLED + "=false\n", Map.of());
        assertNull(System.getProperty(ENABLED));
        look("", Map.of(ENABLED, "true"));
        assertNull(System.getProperty(INCLUDED));
        System.setProperty(ENABLED, "false");
        look("", Map.of());
        assertEquals("false", System.getProperty(ENABLED));
        assertNull(System.getProperty(INCLUDED));
    }

    @Test
    public void what_was_set_for_one_request_is_not_taken_for_the_users_in_the_next_one() throws Exception {
        System.setProperty(INCLUDED, "com.acme.*");
        look("", Map.of());
        assertEquals("dev.regiontrack.*", System.getProperty(INCLUDED));
        look("", Map.of(ENABLED, "true"));
        assertNull(System.getProperty(ENABLED));
        assertEquals("com.acme.*", System.getProperty(INCLUDED));
    }
}
