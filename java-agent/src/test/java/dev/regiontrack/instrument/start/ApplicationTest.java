package dev.regiontrack.instrument.start;

import static org.junit.Assert.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The packages of the application are those in the jar or folder of the main class. */
public class ApplicationTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private String jar(String name, String... entries) throws IOException {
        Path path = folder.getRoot().toPath().resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(path))) {
            for (String entry : entries) {
                out.putNextEntry(new JarEntry(entry));
                out.closeEntry();
            }
        }
        return path.toString();
    }

    @Test
    public void the_packages_of_the_jar_that_is_started() throws IOException {
        String jar = jar("my app.jar", "com/shop/Main.class", "com/shop/web/Page.class", "org/tool/Tool.class", "META-INF/versions/9/x/Y.class",
            "com/shop/logo.png", "module-info.class");
        assertEquals(Optional.of("com.shop:org.tool"), Application.packages(jar + " first second", jar));
    }

    @Test
    public void the_packages_of_the_jar_or_folder_that_holds_the_main_class() throws IOException {
        String library = jar("library.jar", "org/library/A.class");
        String own = jar("own.jar", "com/shop/Main.class");
        Path classes = folder.newFolder("classes").toPath();
        Files.createDirectories(classes.resolve("a/b"));
        Files.createFile(classes.resolve("a/b/Main.class"));
        Files.createFile(classes.resolve("Other.class"));
        String path = String.join(File.pathSeparator, library, own, classes.toString(), "missing.jar");
        assertEquals(Optional.of("com.shop"), Application.packages("com.shop.Main x", path));
        assertEquals(Optional.of(":a.b"), Application.packages("a.b.Main", path));
        assertEquals(Optional.empty(), Application.packages("no.such.Main", path));
        assertEquals(Optional.empty(), Application.packages("jdk.compiler/com.sun.tools.javac.launcher.Main A.java", path));
    }

    @Test
    public void the_packages_that_a_jar_of_jars_keeps_inside() throws IOException {
        String jar = jar("boot.jar", "org/boot/Launcher.class", "BOOT-INF/classes/", "BOOT-INF/classes/com/shop/Main.class", "BOOT-INF/lib/x.jar");
        assertEquals(Optional.of("com.shop"), Application.packages(jar, jar));
    }

    @Test
    public void the_packages_of_several_folders_and_jars_that_the_user_names() throws IOException {
        Path classes = folder.newFolder("classes").toPath();
        Files.createDirectories(classes.resolve("com/shop/web"));
        Files.createFile(classes.resolve("com/shop/web/Page.class"));
        Path tests = folder.newFolder("test-classes").toPath();
        Files.createDirectories(tests.resolve("com/shop"));
        Files.createFile(tests.resolve("com/shop/PageTest.class"));
        String jar = jar("other module.jar", "com/stock/Stock.class");
        String missing = new File(folder.getRoot(), "not-yet").getPath();
        assertEquals(Optional.of("com.shop:com.stock"), Application.ofAll(new String[] {classes.toString(), missing, tests.toString(), jar}));
        assertEquals(Optional.empty(), Application.ofAll(new String[] {missing}));
    }
}
