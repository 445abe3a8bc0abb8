package dev.regiontrack.instrument.classes;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;

/** Makes the JVM pass loaded classes to the transformers again. */
public final class Retransformation {
    private Retransformation() {
    }

    /**
     * Retransforms all at once, since the JVM stops the program each time; one by one if that fails. Returns those that the JVM refuses
     * to change.
     */
    public static List<Class<?>> of(List<Class<?>> types, Instrumentation instrumentation) {
        List<Class<?>> failed = new ArrayList<>();
        // If one of them cannot be changed, none is.
        if (!isDone(instrumentation, types.toArray(new Class<?>[0]))) {
            for (Class<?> type : types) {
                if (!isDone(instrumentation, type)) {
                    failed.add(type);
                }
            }
        }
        return failed;
    }

    private static boolean isDone(Instrumentation instrumentation, Class<?>... types) {
        try {
            if (types.length > 0) {
                instrumentation.retransformClasses(types);
            }
            return true;
        } catch (UnmodifiableClassException | LinkageError | RuntimeException e) {
            return false;
        }
    }
}
