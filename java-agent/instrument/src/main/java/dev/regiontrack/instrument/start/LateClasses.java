package dev.regiontrack.instrument.start;

import dev.regiontrack.instrument.classes.Retransformation;
import dev.regiontrack.instrument.classes.Transformer;
import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Transport;
import dev.regiontrack.runtime.sites.ClassInfo;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The program's classes that were loaded before the agent was attached. They get the hooks that are possible without a new field or method; a method
 * that is running then has them from its next call on.
 */
final class LateClasses {
    /** The number of classes that are changed at once: the JVM stops the program each time. */
    private static final int AT_ONCE = 64;

    private final Instrumentation instrumentation;
    private final Transport report;
    private int hooked;
    /** By package: how many classes have no hooks. */
    private final Map<String, Integer> left = new TreeMap<>();

    private LateClasses(Instrumentation instrumentation, Transport report) {
        this.instrumentation = instrumentation;
        this.report = report;
    }

    /** Inserts the hooks, and reports to the bridge how many classes have them. Returns that in words. */
    static String hook(Instrumentation instrumentation, Transformer transformer, Transport report) {
        LateClasses classes = new LateClasses(instrumentation, report);
        List<Class<?>> some = new ArrayList<>();
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            if (transformer.takesLate(type)) {
                some.add(type);
            }
            if (some.size() == AT_ONCE) {
                classes.change(some);
                some.clear();
            }
        }
        classes.change(some);
        return classes.tell();
    }

    private void change(List<Class<?>> types) {
        for (Class<?> type : Retransformation.of(types, instrumentation)) {
            ClassInfo.remove(type.getClassLoader(), type.getName());
        }
        for (Class<?> type : types) {
            if (ClassInfo.isKnown(type.getClassLoader(), type.getName())) {
                hooked++;
            } else {
                String name = type.getName();
                left.merge(name.substring(0, Math.max(name.lastIndexOf('.'), 0)), 1, Integer::sum);
            }
        }
    }

    private String tell() {
        StringBuilder text = new StringBuilder().append(hooked);
        int without = 0;
        for (Map.Entry<String, Integer> of : left.entrySet()) {
            text.append('\n').append(of.getKey()).append('\t').append(of.getValue());
            without += of.getValue();
        }
        report.describe(NativeBridge.ATTACHED, without, text.toString());
        String rest = without == 0 ? "" : ", " + without + " cannot be changed and are not watched";
        return hooked + (hooked == 1 ? " class that was" : " classes that were") + " loaded before " + (hooked == 1 ? "is" : "are")
            + " watched from the next call of a method on" + rest;
    }
}
