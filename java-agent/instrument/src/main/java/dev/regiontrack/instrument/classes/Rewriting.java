package dev.regiontrack.instrument.classes;

import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Transport;
import dev.regiontrack.runtime.sites.ClassInfo;
import dev.regiontrack.runtime.steering.Plan;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Inserts the calls for places at which threads are held into loaded classes, while the program runs: where tests are repeated, the places are known
 * only then. The JVM retransforms these classes; a method that is running then has the calls from its next call on. Classes with new places are known
 * by their names; callers of a synchronized method that is a place by the names of the methods that each class calls.
 */
public final class Rewriting implements Plan.Rewriter {
    private final Instrumentation instrumentation;
    private final Transport report;
    /** By class name: the sorted hashes of the names of the methods that the class calls. */
    private static final Map<String, int[]> CALLS = new ConcurrentHashMap<>();

    public Rewriting(Instrumentation instrumentation, Transport report) {
        this.instrumentation = instrumentation;
        this.report = report;
    }

    /** Notes which methods a class calls that has got its hooks. */
    static void see(ClassNode type) {
        Set<Integer> names = new TreeSet<>();
        for (MethodNode method : type.methods) {
            for (AbstractInsnNode insn : method.instructions) {
                if (insn instanceof MethodInsnNode) {
                    names.add(((MethodInsnNode) insn).name.hashCode());
                }
            }
        }
        int[] sorted = new int[names.size()];
        int n = 0;
        for (int name : names) {
            sorted[n++] = name;
        }
        CALLS.put(type.name.replace('/', '.'), sorted);
    }

    @Override
    public void rewrite(Set<String> types, Set<String> methods) {
        List<Class<?>> all = new ArrayList<>();
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            String name = type.getName();
            boolean isWatched = CALLS.containsKey(name) && ClassInfo.isKnown(type.getClassLoader(), name) && instrumentation.isModifiableClass(type);
            if (isWatched && (types.contains(name) || calls(name, methods))) {
                all.add(type);
            }
        }
        int failed = Retransformation.of(all, instrumentation).size();
        if (failed > 0) {
            report.describe(NativeBridge.TOLERATED, failed, "classes in which no thread is held, because the JVM does not let them be changed while they are loaded");
        }
    }

    private static boolean calls(String type, Set<String> methods) {
        int[] names = CALLS.get(type);
        for (String method : methods) {
            if (Arrays.binarySearch(names, method.hashCode()) >= 0) {
                return true;
            }
        }
        return false;
    }
}
