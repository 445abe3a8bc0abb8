package dev.regiontrack.junit;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;

/**
 * Attaches the agent to this JVM, if it is missing and its jar is known: from a system property, from an environment variable, or because it is on
 * the class path ({@code regiontrack-agent}). A second JVM does so through the JDK's attach API, because a JVM does not allow attaching to itself.
 */
final class Attaching {
    /** Not a property that the agent reads, because the agent refuses those that it does not know. */
    private static final String PROPERTY = "regiontrack-junit.agent";
    private static final String VARIABLE = "REGIONTRACK_JUNIT_AGENT";
    /** The value of the property if the agent is not wanted. */
    private static final String NONE = "none";
    /** The agent's entry point, and the class that attaches it, in its jar. */
    private static final String PREMAIN = "dev/regiontrack/Premain.class";
    private static final String ATTACH = "dev.regiontrack.attach.Attach";
    private static final long LONGEST_SECONDS = 60;
    /** The option that lets tests ask to be repeated. */
    private static final String PROVOKE = "provoke=tests";
    /** The property that overrides this. */
    private static final String ASKED = "regiontrack.provoke";
    private static final String ASKED_VARIABLE = "REGIONTRACK_PROVOKE";
    /** If this property is false, no test is repeated, and the agent takes less time. */
    private static final String CAN_PROVOKE = "regiontrack-junit.provoke";

    private Attaching() {
    }

    /** Attaches the agent. Returns why it was not attached; null if it was. */
    static String attach() {
        try {
            return attach(jar());
        } catch (SecurityException e) {
            return "it cannot be attached (" + e.getMessage() + ')';
        }
    }

    static String attach(String jar) {
        if (jar == null) {
            return "its jar is not known";
        } else if (jar.equals(NONE)) {
            return PROPERTY + '=' + NONE;
        } else if (!isAgent(jar)) {
            return jar + " is no agent that can be attached";
        }
        boolean isSaid = System.getProperty(ASKED) != null || System.getenv(ASKED_VARIABLE) != null || "false".equals(System.getProperty(CAN_PROVOKE));
        String trouble = attach(jar, isSaid ? "" : PROVOKE);
        // The user's other options may conflict with it, and take precedence.
        return trouble == null || isSaid ? trouble : attach(jar, "");
    }

    private static String attach(String jar, String options) {
        File java = new File(System.getProperty("java.home"), "bin" + File.separatorChar + "java");
        ProcessBuilder builder = new ProcessBuilder(java.getPath(), "-cp", jar, ATTACH, Long.toString(ProcessHandle.current().pid()), jar, options);
        // Options for all JVMs, such as an agent, are not for this one.
        builder.environment().keySet().removeIf(name -> name.endsWith("JAVA_OPTIONS") || name.equals("JAVA_TOOL_OPTIONS"));
        builder.redirectErrorStream(true);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return "it was not attached in a minute";
            }
            return process.exitValue() == 0 ? null : said(process);
        } catch (IOException e) {
            return "it cannot be attached (" + e.getMessage() + ')';
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "the thread was interrupted while it was attached";
        }
    }

    /** The last line of its output: a JVM may have printed something before. The output is short, so it need not be read while it is written. */
    private static String said(Process process) throws IOException {
        try (InputStream in = process.getInputStream()) {
            String[] lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).trim().split("\n");
            return lines[lines.length - 1].replaceFirst("^regiontrack: ", "");
        }
    }

    /** The path of the agent's jar, or null. */
    static String jar() {
        String jar = System.getProperty(PROPERTY);
        if (jar == null || jar.isEmpty()) {
            jar = System.getenv(VARIABLE);
        }
        return jar == null || jar.isEmpty() ? onClassPath() : jar;
    }

    private static String onClassPath() {
        ClassLoader loader = Attaching.class.getClassLoader();
        URL found = loader == null ? null : loader.getResource(PREMAIN);
        try {
            URLConnection connection = found == null ? null : found.openConnection();
            return connection instanceof JarURLConnection ? new File(((JarURLConnection) connection).getJarFileURL().toURI()).getPath() : null;
        } catch (IOException | java.net.URISyntaxException | IllegalArgumentException e) {
            return null;
        }
    }

    private static boolean isAgent(String jar) {
        try (JarFile file = new JarFile(jar)) {
            return file.getEntry(ATTACH.replace('.', '/') + ".class") != null;
        } catch (IOException e) {
            return false;
        }
    }
}
