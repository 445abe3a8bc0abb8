package dev.regiontrack.instrument;

import dev.regiontrack.runtime.Bridge;
import dev.regiontrack.runtime.NativeBridge;
import dev.regiontrack.runtime.Ring;
import dev.regiontrack.runtime.Seam;
import dev.regiontrack.runtime.Session;
import dev.regiontrack.runtime.StackSize;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

/** Starts the agent: opens the JDK packages that the runtime needs, binds the transport, and installs the transformers. */
public final class Start {
    private static final String PREFIX = "regiontrack.";

    private Start() {
    }

    /** Called by the agent's entry class, whose loader has the native library as a resource. */
    public static void start(String options, Instrumentation instrumentation, ClassLoader agent) throws Exception {
        open(instrumentation);
        Bridge inPlace = Seam.open(Seam.BRIDGE, Bridge.class);
        Bridge bridge = inPlace != null ? inPlace : bridge(agent);
        Map<String, String> effective = new TreeMap<>();
        try {
            parse(bridge.start(Ring.LAYOUT, (options == null ? "" : options) + properties()), effective);
        } catch (IllegalArgumentException e) {
            stop(e.getMessage());
        }
        if (effective.getOrDefault("verbose", "false").equals("true")) {
            Session.count();
        }
        if (effective.getOrDefault("mode", "stream").equals("dependencies")) {
            Session.takeDependencies(!effective.getOrDefault("nested", "true").equals("false"));
        }
        if (!effective.getOrDefault("vm_death", "false").equals("true")) {
            // Used if the VM does not announce its death to the bridge. Daemon threads and other shutdown hooks can
            // still be running.
            Runtime.getRuntime().addShutdownHook(new Thread(bridge::finish, "regiontrack-finish"));
        }
        Session.arm(bridge);
        Application.packages().ifPresent(packages -> bridge.describe(NativeBridge.APPLICATION, 0, packages));
        String arrays = effective.getOrDefault("arrays", "refs");
        String[] arguments = Arguments.ofThisJvm();
        StackSize.set(Arguments.stackSize(arguments, System.getProperty("os.arch")));
        Agents agents = new Agents(arguments, System.getProperty("java.class.path", ""));
        Transformer transformer = new Transformer(instrumentation, new MethodFilter(bridge), ArrayMode.of(arrays), bridge, agents);
        ThreadTransformer threads = new ThreadTransformer();
        instrumentation.addTransformer(threads, true);
        threads.retransform(instrumentation, bridge);
        instrumentation.addTransformer(transformer, true);
    }

    /** The options among the system properties, one per line. Properties for tests are not options. */
    private static String properties() {
        StringBuilder lines = new StringBuilder();
        for (String name : System.getProperties().stringPropertyNames()) {
            if (name.startsWith(PREFIX) && !name.startsWith("regiontrack.test.")) {
                lines.append('\n').append(name, PREFIX.length(), name.length()).append('=').append(System.getProperty(name));
            }
        }
        return lines.toString();
    }

    /** The runtime is in the boot loader's unnamed module. This one asks for the JVM's arguments. */
    private static void open(Instrumentation instrumentation) throws ClassNotFoundException {
        Module unnamed = Class.forName("dev.regiontrack.runtime.Stamp", false, null).getModule();
        Set<Module> runtime = Set.of(unnamed);
        Set<Module> both = Set.of(unnamed, Start.class.getModule());
        Map<String, Set<Module>> exports = Map.of("jdk.internal.misc", both, "jdk.internal.reflect", runtime, "jdk.internal.vm.annotation", runtime);
        instrumentation.redefineModule(Object.class.getModule(), Collections.emptySet(), exports, Collections.emptyMap(), Collections.emptySet(),
            Collections.emptyMap());
    }

    private static NativeBridge bridge(ClassLoader agent) throws IOException {
        String os = System.getProperty("os.name").toLowerCase(java.util.Locale.ROOT);
        String system = os.startsWith("linux") ? "linux" : os.startsWith("mac") ? "macos" : os.startsWith("windows") ? "windows" : os;
        String machine = System.getProperty("os.arch");
        String arch = machine.equals("amd64") ? "x86_64" : machine.equals("arm64") ? "aarch64" : machine;
        String platform = system + '-' + arch;
        String name = "native/" + platform + '/' + System.mapLibraryName("regiontrack");
        try (InputStream in = agent.getResourceAsStream(name)) {
            if (in == null) {
                stop("no native library for " + platform + " in the agent's jar (" + name + "); build it there with cargo xtask build");
            }
            Path file = Files.createTempFile("regiontrack", System.mapLibraryName("regiontrack"));
            file.toFile().deleteOnExit();
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
            return Session.load(file.toString());
        } catch (IOException e) {
            stop("cannot unpack the native library into the folder for temporary files, " + System.getProperty("java.io.tmpdir") + ": "
                + e.getMessage() + "; name one that can be written with -Djava.io.tmpdir=FOLDER");
            throw e;
        } catch (IllegalCallerException e) {
            stop("this JVM denies its library native access; allow it with --enable-native-access=ALL-UNNAMED");
            throw e;
        } catch (UnsatisfiedLinkError e) {
            stop("the native library for " + platform + " cannot be loaded: " + e.getMessage().replace('\n', ' ') + "; build it here with cargo xtask build");
            throw e;
        }
    }

    private static void parse(String lines, Map<String, String> into) throws IOException {
        Properties properties = new Properties();
        properties.load(new java.io.StringReader(lines));
        for (String key : properties.stringPropertyNames()) {
            into.put(key, properties.getProperty(key));
        }
    }

    /** Prints one line; the program does not start. */
    static void stop(String why) {
        System.err.println("regiontrack: " + why);
        Runtime.getRuntime().halt(2);
    }
}
