package dev.regiontrack.instrument.platform;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives classes of the platform that are loaded their hooks in one step. In each step, the JVM stops all threads, looks through all classes, and
 * discards compiled code; with a step for each class, this took a tenth of the agent's start.
 */
public final class FirstStep {
    private FirstStep() {
    }

    /** Transforms the classes of both, which must have been added. */
    public static void retransform(Instrumentation instrumentation, ThreadTransformer threads, ReflectionTransformer reflection) {
        List<Class<?>> all = new ArrayList<>(threads.loaded(instrumentation));
        all.addAll(reflection.classes());
        threads.holdReports();
        try {
            instrumentation.retransformClasses(all.toArray(new Class<?>[0]));
        } catch (UnmodifiableClassException | LinkageError | InternalError | RuntimeException e) {
            // None of them has changed. One by one shows which of them cannot.
            threads.forget();
            reflection.forget();
        }
        threads.report();
    }
}
