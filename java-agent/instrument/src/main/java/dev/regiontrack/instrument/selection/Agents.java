package dev.regiontrack.instrument.selection;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * The jars of the agents that the JVM was started with, and those that their manifests name: their classes are not part
 * of the program, although the application's loader can load them.
 */
public final class Agents {
    private static final String OPTION = "-javaagent:";
    private final Set<File> jars = new HashSet<>();
    /** By the location of a class: whether it is one of the jars. */
    private final Map<String, Boolean> known = new HashMap<>();

    /**
     * Finds the jars.
     *
     * @param arguments the JVM's, where {@code -javaagent:JAR=OPTIONS} names an agent
     * @param classPath the program's; if it consists of one agent's jar, that jar is the program
     */
    public Agents(String[] arguments, String classPath) {
        for (String argument : arguments) {
            if (argument.startsWith(OPTION)) {
                int end = argument.indexOf('=');
                add(new File(argument.substring(OPTION.length(), end < 0 ? argument.length() : end)));
            }
        }
        jars.remove(canonical(new File(classPath)));
    }

    private static File canonical(File file) {
        try {
            return file.getCanonicalFile();
        } catch (IOException e) {
            return file.getAbsoluteFile();
        }
    }

    private void add(File jar) {
        File file = canonical(jar);
        if (!file.isFile() || !jars.add(file)) {
            return;
        }
        try (JarFile open = new JarFile(file)) {
            Manifest manifest = open.getManifest();
            String more = manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            if (more != null) {
                for (String entry : more.trim().split(" +")) {
                    add(new File(file.toURI().resolve(entry)));
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            // The JVM could not use such an entry either.
        }
    }

    /** Whether a class with this origin belongs to an agent. */
    public boolean have(ProtectionDomain origin) {
        URL location = origin == null || origin.getCodeSource() == null ? null : origin.getCodeSource().getLocation();
        if (location == null || jars.isEmpty()) {
            return false;
        }
        String text = location.toString();
        synchronized (known) {
            Boolean is = known.get(text);
            if (is == null) {
                is = jars.contains(file(text));
                known.put(text, is);
            }
            return is;
        }
    }

    /** Returns the file of a location, also for a jar inside it: {@code jar:file:/a.jar!/b}. Null if it is not a file. */
    private static File file(String location) {
        int inner = location.indexOf("!/");
        String outer = inner < 0 ? location : location.substring(0, inner);
        try {
            return canonical(new File(URI.create(outer.startsWith("jar:") ? outer.substring(4) : outer)));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
