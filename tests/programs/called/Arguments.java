package called;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;

import schedule.Sequences;

/**
 * Calls that look at a collection or a map which is their argument, or change it.
 */
final class Arguments {
    private Arguments() {
    }

    @SuppressWarnings("unchecked")
    static Object call(Object on, String method, Object argument) {
        return on instanceof Map ? call((Map<Object, Object>) on, method, (Map<Object, Object>) argument)
            : call((Collection<Object>) on, method, (Collection<Object>) argument);
    }

    private static Object call(Map<Object, Object> on, String method, Map<Object, Object> argument) {
        if (method.equals("equalsMap")) {
            return on.equals(argument);
        }
        on.putAll(argument);
        return Sequences.isFilled(argument);
    }

    private static Object call(Collection<Object> on, String method, Collection<Object> argument) {
        switch (method) {
            case "newArrayList":
                return new ArrayList<>(argument);
            case "newHashSet":
                return new HashSet<>(argument);
            case "newQueue":
                return new ConcurrentLinkedQueue<>(argument);
            case "copyOf":
                return List.copyOf(argument);
            case "addAll":
                return on.addAll(argument);
            case "containsAll":
                return on.containsAll(argument);
            case "removeAll":
                return Sequences.kept(on.removeAll(argument), on);
            case "retainAll":
                return Sequences.kept(on.retainAll(argument), on);
            case "equals":
                return on.equals(argument);
            case "disjoint":
                return Collections.disjoint(on, argument);
            case "copy":
                Collections.copy((List<Object>) on, (List<Object>) argument);
                return Sequences.isFilled(argument);
            default:
                return on instanceof BlockingQueue ? Sequences.added(((BlockingQueue<Object>) on).drainTo(argument, 1), argument) : "skipped";
        }
    }
}
