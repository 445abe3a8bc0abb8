package subjects;

import java.io.File;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs programs one after the other in one JVM, each with a class loader of its own: {@code Several FILE}. A line of the
 * file is a program: its class path, its main class and its arguments, with tabs between them.
 */
public final class Several {
    private Several() {
    }

    /** The program. */
    public static void main(String[] arguments) throws Exception {
        for (String line : Files.readAllLines(Path.of(arguments[0]))) {
            String[] words = line.split("\t");
            // Not closed: threads of the program may still run, and load classes.
            ClassLoader loader = new URLClassLoader(classPath(words[0]), ClassLoader.getPlatformClassLoader());
            Thread.currentThread().setContextClassLoader(loader);
            Method main = loader.loadClass(words[1]).getMethod("main", String[].class);
            String[] rest = new String[words.length - 2];
            System.arraycopy(words, 2, rest, 0, rest.length);
            main.invoke(null, (Object) rest);
        }
    }

    private static URL[] classPath(String folders) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (String name : folders.split(File.pathSeparator)) {
            urls.add(new File(name).toURI().toURL());
        }
        return urls.toArray(new URL[0]);
    }
}
