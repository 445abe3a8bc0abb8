package libraries;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;
import schedule.Steps;

/** Starts the OSGi framework of the class path, with a bundle that it packs into the folder of its first argument. */
public class Bundles {
    /** The whole bundle. Its loader looks for nothing in the class path but the packages that the bundle imports. */
    public static class Stock implements BundleActivator {
        private final Map<String, Integer> items = new ConcurrentHashMap<>();
        private final AtomicInteger taken = new AtomicInteger();
        private long size = 10;

        // finding: libraries.Bundles$Stock.add(java.lang.String) stale check-then-act on a collection
        void add(String item) {
            if (!items.containsKey(item)) {
                Steps.done(1);
                Steps.await(2);
                items.put(item, 1);
            }
        }

        // finding: libraries.Bundles$Stock.take() lost update
        void take() {
            long seen = size;
            Steps.done(3);
            Steps.await(4);
            size = seen - taken.incrementAndGet();
        }

        // waits inside: libraries.Bundles$Stock.start(org.osgi.framework.BundleContext)
        @Override
        public void start(BundleContext context) throws InterruptedException {
            Steps.run(() -> {
                add("tea");
                take();
            }, () -> {
                Steps.await(1);
                items.put("tea", 2);
                Steps.done(2);
                Steps.await(3);
                size = 20;
                Steps.done(4);
            });
            System.out.println("tea " + items.get("tea") + ", size " + size);
        }

        @Override
        public void stop(BundleContext context) {
            System.out.println("stopped in a loader of its own: " + (getClass().getClassLoader() != BundleContext.class.getClassLoader()));
        }
    }

    private static void pack(Path jar) throws IOException {
        Manifest manifest = new Manifest();
        Map.of("Manifest-Version", "1.0", Constants.BUNDLE_MANIFESTVERSION, "2", Constants.BUNDLE_SYMBOLICNAME, "stock", Constants.BUNDLE_ACTIVATOR,
            Stock.class.getName(), Constants.IMPORT_PACKAGE, "org.osgi.framework, schedule")
            .forEach((name, value) -> manifest.getMainAttributes().put(new Attributes.Name(name), value));
        String entry = Stock.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
            InputStream in = Bundles.class.getClassLoader().getResourceAsStream(entry)) {
            out.putNextEntry(new JarEntry(entry));
            in.transferTo(out);
        }
    }

    public static void main(String[] arguments) throws IOException, BundleException, InterruptedException {
        Path folder = Files.createTempDirectory(Path.of(arguments[0]), "run");
        Path jar = folder.resolve("stock.jar");
        pack(jar);
        FrameworkFactory factory = ServiceLoader.load(FrameworkFactory.class).iterator().next();
        Framework framework = factory.newFramework(
            Map.of(Constants.FRAMEWORK_STORAGE, folder.resolve("storage").toString(), Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA, "schedule"));
        framework.start();
        try {
            Bundle bundle = framework.getBundleContext().installBundle(jar.toUri().toString());
            bundle.start();
            bundle.stop();
        } finally {
            framework.stop();
            framework.waitForStop(0);
        }
        System.out.println("done");
    }
}
