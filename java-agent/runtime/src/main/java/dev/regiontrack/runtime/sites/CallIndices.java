package dev.regiontrack.runtime.sites;

import dev.regiontrack.runtime.memory.WeakTable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Maps the indices of calls in methods without line numbers: a stack trace has the indices of the instrumented code, which differ from those in the
 * class file. Kept only in a steered run, where it matters at which call a thread was started.
 */
public final class CallIndices {
    private static final WeakTable LOADERS = new WeakTable();
    private static final int UNKNOWN = -1;

    private CallIndices() {
    }

    /**
     * Enters the methods without line numbers of a class, whose name has dots, by name and descriptor: for each call its present index and the one in
     * the class file.
     */
    public static void put(ClassLoader loader, String name, Map<String, int[]> calls) {
        map(loader).put(name, calls);
    }

    /** Returns the index in the class file of the instruction with this present index in a method, by name and descriptor; -1 if it is unknown. */
    public static int of(Class<?> type, String method, int index) {
        Map<String, int[]> calls = map(type.getClassLoader()).get(type.getName());
        if (calls == null) {
            return index;
        }
        int[] known = calls.get(method);
        for (int i = 0; known != null && i < known.length; i += 2) {
            if (known[i] == index) {
                return known[i + 1];
            }
        }
        return UNKNOWN;
    }

    @SuppressWarnings("unchecked")
    private static ConcurrentHashMap<String, Map<String, int[]>> map(ClassLoader loader) {
        Object found = LOADERS.find(loader);
        return (ConcurrentHashMap<String, Map<String, int[]>>) (found != null ? found : LOADERS.put(loader, new ConcurrentHashMap<String, Map<String, int[]>>()));
    }
}
