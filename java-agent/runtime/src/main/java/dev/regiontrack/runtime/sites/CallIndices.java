package dev.regiontrack.runtime.sites;

import dev.regiontrack.runtime.memory.WeakTable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which indices the calls in methods without line numbers have in the class file: what is on the stack has those that came about with the hooks. Kept only in a
 * run that is steered, where it matters at which call a thread was started.
 */
public final class CallIndices {
    private static final WeakTable LOADERS = new WeakTable();
    private static final int UNKNOWN = -1;

    private CallIndices() {
    }

    /**
     * A class of the program, with its name in the form with dots, has these methods without line numbers, by name and descriptor: for each call the index that it has now and
     * the one in the class file.
     */
    public static void put(ClassLoader loader, String name, Map<String, int[]> calls) {
        map(loader).put(name, calls);
    }

    /** The index in the class file of what has this one now in a method, by name and descriptor; -1 if that is not known. */
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
