package dev.regiontrack.attach;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import java.util.jar.Manifest;

/**
 * Describes this JVM and the contents of a class path, for {@code regiontrack doctor}: a line for each fact on standard output, the parts separated
 * by tabs.
 *
 * <p>{@code jvm VERSION VENDOR VM ARCH HOME}; {@code module NAME true|false}; {@code native PLATFORM true|false}, whether the agent's jar has a
 * library for it. For each entry of a class path in the arguments: {@code class NAME MAJOR ENTRY}, {@code signed JAR}, {@code missing ENTRY},
 * {@code main NAME}, that of a jar's manifest, {@code damaged ENTRY WHY}.
 */
public final class Inspect {
    private static final String CLASS = ".class";
    private static final int MAGIC = 0xcafebabe;
    /** The folders of a Spring Boot jar: the user's classes, and the jars that they need. */
    private static final String NESTED = "BOOT-INF/classes/";
    private static final String NESTED_JARS = "BOOT-INF/lib/";

    private final StringBuilder out = new StringBuilder();
    private final Set<File> seen = new HashSet<>();

    private Inspect() {
    }

    public static void main(String[] args) {
        Inspect inspect = new Inspect();
        inspect.jvm();
        for (String entry : args) {
            inspect.entry(entry);
        }
        System.out.print(inspect.out);
    }

    private void say(Object... parts) {
        for (int i = 0; i < parts.length; i++) {
            out.append(i == 0 ? "" : "\t").append(String.valueOf(parts[i]).replace('\t', ' ').replace('\n', ' '));
        }
        out.append('\n');
    }

    private void jvm() {
        String arch = System.getProperty("os.arch");
        say("jvm", System.getProperty("java.version"), System.getProperty("java.vendor"), System.getProperty("java.vm.name"), arch, System.getProperty("java.home"));
        for (String module : new String[] {"java.instrument", "jdk.attach"}) {
            say("module", module, ModuleLayer.boot().findModule(module).isPresent());
        }
        // The same names as at the agent's start.
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String system = os.startsWith("linux") ? "linux" : os.startsWith("mac") ? "macos" : os.startsWith("windows") ? "windows" : os;
        String platform = system + '-' + (arch.equals("amd64") ? "x86_64" : arch.equals("arm64") ? "aarch64" : arch);
        String library = "native/" + platform + '/' + System.mapLibraryName("regiontrack");
        say("native", platform, Inspect.class.getClassLoader().getResource(library) != null);
    }

    private void entry(String entry) {
        File file = new File(entry);
        if (file.getName().equals("*")) {
            File[] jars = new File(entry.substring(0, entry.length() - 1).isEmpty() ? "." : entry.substring(0, entry.length() - 1)).listFiles();
            for (int i = 0; jars != null && i < jars.length; i++) {
                if (jars[i].getName().toLowerCase(Locale.ROOT).endsWith(".jar")) {
                    jar(jars[i]);
                }
            }
        } else if (file.isDirectory()) {
            folder(file, "", entry);
        } else if (file.isFile()) {
            jar(file);
        } else {
            say("missing", entry);
        }
    }

    private void folder(File folder, String inside, String entry) {
        File[] files = folder.listFiles();
        for (int i = 0; files != null && i < files.length; i++) {
            String name = files[i].getName();
            if (files[i].isDirectory() && name.indexOf('.') < 0) {
                folder(files[i], inside + name + '.', entry);
            } else if (isClass(name)) {
                try (InputStream in = new FileInputStream(files[i])) {
                    type(inside + name, in, entry);
                } catch (IOException e) {
                    say("damaged", files[i], e);
                }
            }
        }
    }

    private static boolean isClass(String name) {
        return name.endsWith(CLASS) && !name.endsWith("module-info.class");
    }

    private void jar(File file) {
        if (!seen.add(file.getAbsoluteFile())) {
            return;
        }
        try (JarFile jar = new JarFile(file, false)) {
            Manifest manifest = jar.getManifest();
            boolean isNested = jar.getEntry(NESTED) != null;
            boolean isSigned = false;
            for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements();) {
                JarEntry each = entries.nextElement();
                String name = each.getName();
                isSigned |= name.startsWith("META-INF/") && name.endsWith(".SF");
                if (isClass(name) && !name.startsWith("META-INF/") && (!isNested || name.startsWith(NESTED))) {
                    try (InputStream in = jar.getInputStream(each)) {
                        type((isNested ? name.substring(NESTED.length()) : name).replace('/', '.'), in, file.toString());
                    }
                } else if (isNested && name.startsWith(NESTED_JARS) && name.endsWith(".jar")) {
                    try (InputStream in = jar.getInputStream(each)) {
                        inner(in.readAllBytes(), file + "!/" + name);
                    }
                }
            }
            if (isSigned) {
                say("signed", file);
            }
            if (manifest != null) {
                manifest(manifest.getMainAttributes(), file, isNested);
            }
        } catch (IOException | SecurityException e) {
            say("damaged", file, e.getMessage());
        }
    }

    private void manifest(Attributes attributes, File file, boolean isNested) {
        String main = attributes.getValue(isNested ? "Start-Class" : "Main-Class");
        if (main != null) {
            say("main", main.trim());
        }
        String path = attributes.getValue(Attributes.Name.CLASS_PATH);
        for (String each : path == null ? new String[0] : path.trim().split(" +")) {
            File next = new File(file.getAbsoluteFile().toURI().resolve(each));
            if (next.isDirectory()) {
                folder(next, "", next.toString());
            } else if (next.isFile()) {
                jar(next);
            }
        }
    }

    private void inner(byte[] bytes, String entry) throws IOException {
        try (JarInputStream in = new JarInputStream(new ByteArrayInputStream(bytes), false)) {
            for (JarEntry each = in.getNextJarEntry(); each != null; each = in.getNextJarEntry()) {
                if (isClass(each.getName()) && !each.getName().startsWith("META-INF/")) {
                    type(each.getName().replace('/', '.'), in, entry);
                }
            }
        }
    }

    /** Reads only the beginning of the class file. */
    private void type(String file, InputStream from, String entry) throws IOException {
        DataInputStream in = new DataInputStream(from);
        byte[] head = new byte[8];
        int read = in.readNBytes(head, 0, head.length);
        DataInputStream parts = new DataInputStream(new ByteArrayInputStream(head));
        if (read < head.length || parts.readInt() != MAGIC) {
            say("damaged", entry, file + " is no class file");
            return;
        }
        parts.readUnsignedShort();
        say("class", file.substring(0, file.length() - CLASS.length()), parts.readUnsignedShort(), entry);
    }
}
