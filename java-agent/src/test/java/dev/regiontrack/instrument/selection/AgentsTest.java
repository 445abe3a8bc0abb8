package dev.regiontrack.instrument.selection;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Which classes belong to another agent. */
public class AgentsTest {
    private Path folder;

    @Before
    public void makeFolder() throws Exception {
        folder = Files.createTempDirectory("agents");
    }

    @After
    public void removeFolder() throws Exception {
        try (java.util.stream.Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private Path jar(String name, String classPath) throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        new JarOutputStream(Files.newOutputStream(folder.resolve(name)), manifest).close();
        return folder.resolve(name);
    }

    private static ProtectionDomain from(URI location) throws Exception {
        URL url = location.toURL();
        return new ProtectionDomain(new CodeSource(url, (Certificate[]) null), null);
    }

    private static Agents agents(String classPath, Object... jars) {
        String[] arguments = new String[jars.length + 1];
        arguments[0] = "-Xss1m";
        for (int i = 0; i < jars.length; i++) {
            arguments[i + 1] = "-javaagent:" + jars[i] + (i % 2 == 0 ? "=a=b" : "");
        }
        return new Agents(arguments, classPath);
    }

    @Test
    public void classes_of_an_agents_jar_and_of_those_that_its_manifest_names_are_the_agents() throws Exception {
        Path agent = jar("agent one.jar", " library.jar  missing.jar");
        Path library = jar("library.jar", "agent%20one.jar");
        Path other = jar("other.jar", "");
        Agents agents = agents("app.jar", agent);
        assertTrue(agents.have(from(agent.toUri())));
        assertTrue(agents.have(from(library.toUri())));
        assertTrue(agents.have(from(URI.create("jar:" + agent.toUri() + "!/inner"))));
        assertFalse(agents.have(from(other.toUri())));
    }

    @Test
    public void a_program_that_is_its_own_agent_stays_a_program() throws Exception {
        Path app = jar("app.jar", "");
        Path agent = jar("agent.jar", "");
        Agents agents = agents(app.toString(), app, agent);
        assertFalse(agents.have(from(app.toUri())));
        assertTrue(agents.have(from(agent.toUri())));
    }

    @Test
    public void classes_without_a_file_are_the_programs() throws Exception {
        Agents agents = agents("", jar("agent.jar", ""));
        assertFalse(agents.have(null));
        assertFalse(agents.have(new ProtectionDomain(null, null)));
        assertFalse(agents.have(from(URI.create("http://localhost/agent.jar"))));
        assertFalse(agents.have(from(folder.toUri())));
    }
}
