package dev.regiontrack.instrument.start;

import dev.regiontrack.instrument.classes.Rewriting;
import dev.regiontrack.instrument.classes.Transformer;
import dev.regiontrack.instrument.code.Outlined;
import dev.regiontrack.instrument.platform.FirstStep;
import dev.regiontrack.instrument.platform.NamedClasses;
import dev.regiontrack.instrument.platform.ReflectionTransformer;
import dev.regiontrack.instrument.platform.ThreadTransformer;
import dev.regiontrack.instrument.selection.Agents;
import dev.regiontrack.instrument.selection.ArrayMode;
import dev.regiontrack.instrument.selection.MethodFilter;
import dev.regiontrack.instrument.selection.OwnModels;
import dev.regiontrack.instrument.profile.Guide;
import dev.regiontrack.runtime.profile.Learning;
import dev.regiontrack.runtime.Rooms;
import dev.regiontrack.runtime.bodies.Sampling;
import dev.regiontrack.runtime.bridge.Bridge;
import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Ring;
import dev.regiontrack.runtime.bridge.Seam;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.models.ModelTable;
import dev.regiontrack.runtime.replay.Replay;
import dev.regiontrack.runtime.sites.JdkSites;
import dev.regiontrack.runtime.steering.Plan;
import dev.regiontrack.runtime.steering.Priorities;
import dev.regiontrack.runtime.threads.StackSize;
import java.io.File;
import java.lang.instrument.Instrumentation;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;

/** Starts the agent: opens the JDK packages that the runtime needs, binds the transport, and installs the transformers. */
public final class Start {
    private static final String PREFIX = "regiontrack.";
    private static final long MILLIS = 1000;
    /** The property that says whether the agent was attached; see {@link #tell}. */
    private static final String ATTACHED = "regiontrack.attached";
    /** The JDK's packages that the runtime uses. */
    private static final List<String> EXPORTED = List.of("jdk.internal.misc", "jdk.internal.vm", "jdk.internal.reflect", "jdk.internal.vm.annotation");
    /** The first Java version for which the runtime looks for constants by reflection. */
    private static final int FIRST_REFLECTED = 25;
    /** Tells the bridge that the agent was attached. */
    private static final String LATE = "\nattached=true";

    /** Loaded by an attempt to attach the agent that was refused: a library is loaded only once. */
    private static Bridge loaded;
    private static boolean isStarted;

    private Start() {
    }

    /** The agent does not start; the message is the line that says why. */
    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Refusal(String why) {
            super(why, null, false, false);
        }
    }

    /**
     * Called by the agent's entry class; {@code unpack} makes a file of an entry of the agent's jar, or returns null if there is none;
     * {@code platform} is the jar's name for this platform's native code. {@code isLate} if the program runs already. Returns why the agent does not
     * start, in a line, or null if it has started.
     */
    public static synchronized String start(String options, Instrumentation instrumentation, Function<String, File> unpack, String platform, boolean isLate)
        throws ReflectiveOperationException {
        String done = null;
        String refusal = null;
        try {
            if (isLate) {
                // An agent that the JVM was started with need not have done so.
                open(instrumentation);
            }
            if (isStarted && !isLate) {
                // For example from a build whose plugin adds the option, under regiontrack run. The program is
                // unaffected.
                System.err.println("regiontrack: the agent is in this JVM already, by an option before; this one is left out: -javaagent:regiontrack.jar="
                    + (options == null ? "" : options));
                return null;
            }
            if (isStarted) {
                throw new Refusal("the agent is in this JVM already, and watches it; it cannot be started twice");
            }
            if (isLate) {
                Session.startLate();
            }
            done = start(options == null ? "" : options, instrumentation, unpack, platform);
        } catch (Refusal e) {
            refusal = e.getMessage();
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            refusal = "cannot start: " + e.toString().replace('\n', ' ');
        }
        if (isLate) {
            tell(refusal == null ? "+" + done : refusal);
        }
        return refusal;
    }

    /**
     * Leaves a line among the JVM's properties for agents, which the program does not see: what was attached after a {@code +}, otherwise why it was
     * not.
     */
    private static void tell(String what) throws ReflectiveOperationException {
        Properties properties = (Properties) Class.forName("jdk.internal.vm.VMSupport").getMethod("getAgentProperties").invoke(null);
        properties.setProperty(ATTACHED, what);
    }

    /** Starts the agent. Returns what was attached, in words; null if the program has not begun. */
    private static String start(String options, Instrumentation instrumentation, Function<String, File> unpack, String platform)
        throws ReflectiveOperationException {
        Bridge inPlace = Seam.open(Seam.BRIDGE, Bridge.class);
        if (loaded == null) {
            loaded = inPlace != null ? inPlace : bridge(unpack, platform);
        }
        Bridge bridge = loaded;
        boolean isOpen = open(bridge, instrumentation);
        Map<String, String> effective;
        ArrayMode arrays;
        try {
            effective = parse(bridge.start(Ring.LAYOUT, options + properties() + (Session.isLate() ? LATE : "")));
            isStarted = true;
            arrays = ArrayMode.of(effective.getOrDefault("arrays", "refs"));
        } catch (IllegalArgumentException e) {
            throw new Refusal(e.getMessage());
        }
        if (effective.getOrDefault("verbose", "false").equals("true")) {
            Session.count();
        }
        if (effective.getOrDefault("mode", "stream").equals("dependencies")) {
            Session.takeDependencies(!effective.getOrDefault("nested", "true").equals("false"));
        }
        if (effective.getOrDefault("fences", "false").equals("true")) {
            Session.takeFences();
        }
        if (effective.getOrDefault("redundant", "false").equals("true")) {
            Session.takeRedundant();
        }
        if (effective.getOrDefault("reads", "all").equals("all")) {
            Session.takeAllReads();
        }
        if (effective.getOrDefault("initializers", "inside").equals("apart")) {
            Session.takeInitializersApart();
        }
        if (effective.getOrDefault("readers", "false").equals("true")) {
            Session.takeReaders();
        }
        if (effective.getOrDefault("keys", "true").equals("false")) {
            Session.hideKeys();
        }
        if (!effective.getOrDefault("vm_death", "false").equals("true")) {
            // Used if the VM does not announce its death to the bridge. Daemon threads and other shutdown hooks can
            // still be running.
            Runtime.getRuntime().addShutdownHook(new Finish(bridge));
        }
        boolean isProvoked = effective.getOrDefault("provoke", "false").equals("true");
        boolean hasPriorities = !effective.getOrDefault("priorities", "").isEmpty();
        boolean isRepeated = effective.getOrDefault("repeats", "false").equals("true");
        if (!isOpen && (isProvoked || hasPriorities || isRepeated)) {
            // What holds threads looks into java.lang by method handles.
            open(instrumentation);
        }
        boolean isGuided = effective.getOrDefault("guided", "false").equals("true");
        boolean isSampled = effective.getOrDefault("sample", "false").equals("true");
        if (!isGuided && !isSampled && !Session.isLate()) {
            Session.takeResults();
        }
        if (isSampled || effective.getOrDefault("bursts", "false").equals("true")) {
            Sampling.turnOn(bridge, isSampled);
        }
        if (effective.getOrDefault("learn", "false").equals("true")) {
            Learning.turnOn(bridge, isGuided);
        }
        if (isProvoked) {
            Plan.turnOn(bridge, Integer.parseInt(effective.getOrDefault("provoke_share", "20")));
            long patience = Long.parseLong(effective.getOrDefault("replay_patience", "10")) * MILLIS;
            boolean isAsked = effective.getOrDefault("replay_patience_asked", "false").equals("true");
            boolean isDebugged = Debugger.isIn(Arguments.ofThisJvm());
            Replay.turnOn(isDebugged && !isAsked ? Debugger.PATIENCE : patience, isDebugged);
        }
        if (hasPriorities) {
            Priorities.turnOn(effective.get("priorities"), Integer.parseInt(effective.getOrDefault("provoke_share", "20")));
        }
        if (isRepeated) {
            Session.repeatTests();
            Plan.turnOnForTests(Integer.parseInt(effective.getOrDefault("provoke_share", "20")));
        }
        String ownModels = effective.getOrDefault("own_models", "");
        ModelTable.load(bridge.models());
        JdkSites.describe(bridge);
        Rooms.load();
        if (!Session.isLate()) {
            Session.arm(bridge);
        }
        if (Sampling.isEverywhere()) {
            Outlined.define();
        }
        Optional<String> packages = Application.packages(effective.getOrDefault("own", ""));
        if (packages.isPresent()) {
            bridge.describe(NativeBridge.APPLICATION, 0, packages.get());
        }
        if (bridge instanceof NativeBridge) {
            CompilerDirectives.add((NativeBridge) bridge);
        }
        String[] arguments = Arguments.ofThisJvm();
        StackSize.set(Arguments.stackSize(arguments, System.getProperty("os.arch")));
        Guide guide = Guide.of(bridge, isGuided, Learning.isOn());
        Agents agents = new Agents(arguments, System.getProperty("java.class.path", ""));
        MethodFilter filter = new MethodFilter(bridge);
        NamedClasses named = new NamedClasses(filter, bridge, effective.getOrDefault("include", ""));
        ReflectionTransformer reflection = new ReflectionTransformer(bridge);
        Transformer transformer = new Transformer(instrumentation, named, filter, arrays, bridge, agents, reflection, guide,
            new OwnModels(ownModels, ownModels.isEmpty() ? new Class<?>[0] : instrumentation.getAllLoadedClasses(), bridge));
        ThreadTransformer threads = new ThreadTransformer(bridge);
        instrumentation.addTransformer(threads, true);
        instrumentation.addTransformer(reflection, true);
        if (!Session.isLate()) {
            FirstStep.retransform(instrumentation, threads, reflection);
        }
        String trouble = threads.retransform(instrumentation);
        if (!trouble.isEmpty()) {
            throw new Refusal(trouble);
        }
        reflection.retransform(instrumentation);
        if (Session.isLate()) {
            // Threads are running: none may have only a part of the hooks.
            Session.arm(bridge);
            Sampling.forks();
        }
        instrumentation.addTransformer(transformer, true);
        named.retransform(instrumentation);
        if (Plan.isForTests()) {
            Plan.rewriteBy(new Rewriting(instrumentation, bridge));
        }
        return Session.isLate() ? LateClasses.hook(instrumentation, transformer, bridge) : null;
    }

    /** Returns the options among the system properties, one per line. Properties for tests are not options. */
    private static String properties() {
        StringBuilder lines = new StringBuilder();
        for (String name : System.getProperties().stringPropertyNames()) {
            if (name.startsWith(PREFIX) && !name.startsWith("regiontrack.test.")) {
                lines.append('\n').append(name, PREFIX.length(), name.length()).append('=').append(System.getProperty(name));
            }
        }
        return lines.toString();
    }

    /**
     * Exports the JDK's packages that the runtime uses. Returns whether reflection and method handles may look into them, too, which takes a
     * twentieth of the agent's start.
     */
    private static boolean open(Bridge bridge, Instrumentation instrumentation) {
        if (Session.isLate()) {
            return true;
        }
        if (Runtime.version().feature() < FIRST_REFLECTED && bridge instanceof NativeBridge
            && ((NativeBridge) bridge).export(Object.class.getModule(), String.join(":", EXPORTED), Start.class.getModule())) {
            return false;
        }
        open(instrumentation);
        return true;
    }

    /** Opens packages to the runtime and the instrumenter, which are in the boot loader's unnamed module. */
    private static void open(Instrumentation instrumentation) {
        Set<Module> ours = Set.of(Start.class.getModule());
        Map<String, Set<Module>> exports = new HashMap<>();
        for (String exported : EXPORTED) {
            exports.put(exported, ours);
        }
        instrumentation.redefineModule(Object.class.getModule(), Collections.emptySet(), exports, Map.of("java.lang", ours), Collections.emptySet(),
            Collections.emptyMap());
    }

    private static NativeBridge bridge(Function<String, File> unpack, String platform) {
        String name = "native/" + platform + '/' + System.mapLibraryName("regiontrack");
        File file;
        try {
            file = unpack.apply(name);
        } catch (IllegalStateException e) {
            throw new Refusal(e.getMessage());
        }
        if (file == null) {
            throw new Refusal("no native library for " + platform + " in the agent's jar (" + name + "); build it there with cargo xtask build");
        }
        try {
            NativeBridge bridge = Session.load(file.toString());
            // As with the agent's classes: the file is open.
            file.delete();
            return bridge;
        } catch (IllegalCallerException e) {
            throw new Refusal("this JVM denies its library native access; allow it with --enable-native-access=ALL-UNNAMED");
        } catch (UnsatisfiedLinkError e) {
            throw new Refusal("the native library for " + platform + " cannot be loaded: " + e.getMessage().replace('\n', ' ') + "; build it here with cargo xtask build");
        }
    }

    /** Ends the analysis. A class, because a method reference would take a twentieth of the agent's start. */
    private static final class Finish extends Thread {
        private final Bridge bridge;

        Finish(Bridge bridge) {
            super("regiontrack-finish");
            this.bridge = bridge;
        }

        @Override
        public void run() {
            bridge.finish();
        }
    }

    /** Parses lines {@code key=value}. The JDK's own parser of properties would take a twentieth of the agent's start. */
    private static Map<String, String> parse(String lines) {
        Map<String, String> parsed = new HashMap<>();
        for (int start = 0; start < lines.length();) {
            int end = lines.indexOf('\n', start);
            end = end < 0 ? lines.length() : end;
            int equals = lines.indexOf('=', start);
            if (equals >= 0 && equals < end) {
                parsed.put(lines.substring(start, equals), unescaped(lines.substring(equals + 1, end)));
            }
            start = end + 1;
        }
        return parsed;
    }

    /** Returns a value without its escapes: a backslash before another one, or before an {@code n} that stands for the end of a line. */
    private static String unescaped(String value) {
        if (value.indexOf('\\') < 0) {
            return value;
        }
        StringBuilder text = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            boolean isEscaped = value.charAt(i) == '\\' && i + 1 < value.length();
            i += isEscaped ? 1 : 0;
            text.append(isEscaped && value.charAt(i) == 'n' ? '\n' : value.charAt(i));
        }
        return text.toString();
    }
}
