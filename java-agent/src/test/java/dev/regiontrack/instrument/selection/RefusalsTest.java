package dev.regiontrack.instrument.selection;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import dev.regiontrack.runtime.hooks.Hooks;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Which classes of the platform can be watched. No hook calls one of them, or a method that other agents change, as if it were the program. */
public class RefusalsTest {
    private static final String RUNTIME = "dev/regiontrack/runtime/";
    /** The classes whose public methods instrumented code calls. */
    private static final Set<String> HOOKS = Set.of("steering/Steering", "hooks/Hooks", "hooks/IntChecks", "hooks/ReferenceChecks", "hooks/LongReads", "hooks/FloatReads",
        "hooks/DoubleReads", "models/OperationHooks", "models/Queues", "jdk/Tasks", "jdk/Latches", "jdk/Permits", "jdk/Completers", "threads/Threads", "bodies/Platform");
    /** A public method of such a class that only another room calls, inside the agent, but no instrumented code. */
    private static final String OF_ROOMS = RUNTIME + "bodies/Platform.isWatched(Ljava/lang/Class;Ljava/lang/Class;)Z";
    /** Other agents, such as BlockHound, put calls of themselves into these; a hook waits by a method of the bridge. */
    private static final Set<String> OF_OTHERS = Set.of("java/lang/Thread.onSpinWait", "java/lang/Thread.yield");
    /**
     * A thread's state is created under a lock that marks the thread as inside; no class is watched yet; there is no shadow of that size; only a
     * virtual thread gives its carrier away.
     */
    private static final Set<String> OTHERWISE = Set.of(RUNTIME + "protocol/Spinning.unmount", RUNTIME + "threads/Threads.create", RUNTIME + "bodies/Platform.watch", RUNTIME + "shadows/Shadows.large");

    /** A method of the runtime: its calls, and whether it marks the thread as inside the agent. */
    private static final class Method {
        private final Set<String> calls = new HashSet<>();
        private final Set<String> platform = new HashSet<>();
        private final boolean isPublic;
        private boolean isInside;

        Method(boolean isPublic) {
            this.isPublic = isPublic;
        }
    }

    @Test
    public void classes_that_the_jvm_or_the_hooks_need_are_refused() {
        for (String name : List.of("java.lang.Object", "java.lang.String", "java.lang.Thread", "java.lang.Thread$State", "java.lang.Class", "java.lang.ClassLoader",
            "java.lang.ClassValue", "java.lang.invoke.MethodHandle", "java.lang.ref.Reference", "java.lang.reflect.Field", "jdk.internal.misc.Unsafe", "sun.misc.Unsafe",
            "java.util.WeakHashMap", "java.util.concurrent.locks.ReentrantLock", "java.util.concurrent.atomic.AtomicLong",
            "java.util.concurrent.ForkJoinPool$WorkQueue", "java.net.URLClassLoader")) {
            assertNotNull(name, Refusals.reason(name));
        }
        for (String name : List.of("java.lang.StringBuffer", "java.lang.StringBuilder", "java.lang.AbstractStringBuilder", "java.util.Vector", "java.util.Vector$Itr",
            "java.util.Hashtable", "java.util.Collections$SynchronizedSet", "java.util.HashMap", "java.util.concurrent.ConcurrentHashMap", "javax.swing.JFrame")) {
            assertNull(name, Refusals.reason(name));
        }
    }

    @Test
    public void hooks_call_what_can_be_watched_or_what_other_agents_change_only_inside_the_agent() throws Exception {
        Map<String, Method> methods = methods();
        Deque<String> open = new ArrayDeque<>();
        for (Map.Entry<String, Method> entry : methods.entrySet()) {
            String owner = entry.getKey().substring(RUNTIME.length(), entry.getKey().indexOf('.'));
            if (HOOKS.contains(owner) && entry.getValue().isPublic && !entry.getKey().equals(OF_ROOMS)) {
                open.add(entry.getKey());
            }
        }
        assertTrue(open.size() > 100);
        Set<String> seen = new HashSet<>(open);
        Set<String> wrong = new TreeSet<>();
        int inside = 0;
        while (!open.isEmpty()) {
            String name = open.poll();
            Method method = methods.get(name);
            if (method.isInside || OTHERWISE.contains(name.substring(0, name.indexOf('(')))) {
                inside++;
                continue;
            }
            for (String called : method.platform) {
                wrong.add(name + " calls " + called);
            }
            for (String called : method.calls) {
                for (String target : targets(called, methods)) {
                    if (seen.add(target)) {
                        open.add(target);
                    }
                }
            }
        }
        assertTrue("" + inside, inside > 10);
        assertEquals(String.join("\n", wrong), 0, wrong.size());
    }

    /** Returns all methods of that name and descriptor, whatever the class of the receiver. */
    private static List<String> targets(String called, Map<String, Method> methods) {
        if (called.contains(".<init>")) {
            return methods.containsKey(called) ? List.of(called) : List.of();
        }
        String name = called.substring(called.indexOf('.'));
        return methods.keySet().stream().filter(method -> method.endsWith(name)).collect(Collectors.toList());
    }

    private static Map<String, Method> methods() throws Exception {
        URI found = Hooks.class.getProtectionDomain().getCodeSource().getLocation().toURI();
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(Paths.get(found))) {
            all.filter(file -> file.toString().endsWith(".class")).forEach(files::add);
        }
        assertTrue("" + found, files.size() > 50);
        Map<String, Method> methods = new HashMap<>();
        for (Path file : files) {
            read(file, methods);
        }
        return methods;
    }

    private static void read(Path file, Map<String, Method> methods) throws IOException {
        ClassReader reader = new ClassReader(Files.readAllBytes(file));
        reader.accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String desc, String signature, String[] exceptions) {
                Method method = new Method((access & Opcodes.ACC_PUBLIC) != 0);
                // Classes of the runtime are initialised before anything is watched.
                if (!name.equals("<clinit>")) {
                    methods.put(reader.getClassName() + '.' + name + desc, method);
                }
                return new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitMethodInsn(int opcode, String owner, String called, String calledDesc, boolean isInterface) {
                        if (owner.startsWith(RUNTIME)) {
                            method.isInside |= calledDesc.endsWith(")L" + RUNTIME + "threads/Inside;");
                            method.calls.add(owner + '.' + called + calledDesc);
                        } else if (!owner.startsWith("[") && (Refusals.reason(owner.replace('/', '.')) == null || OF_OTHERS.contains(owner + '.' + called))) {
                            method.platform.add(owner + '.' + called);
                        }
                    }
                };
            }
        }, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    }
}
