package called;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Calls that look at a collection which is their argument.
 */
final class Arguments {
    private Arguments() {
    }

    static Object call(Collection<Object> on, String method, Collection<Object> argument) {
        switch (method) {
            case "newArrayList":
                return new ArrayList<>(argument);
            case "newHashSet":
                return new HashSet<>(argument);
            case "newQueue":
                return new ConcurrentLinkedQueue<>(argument);
            case "copyOf":
                return List.copyOf(argument);
            default:
                return on.addAll(argument);
        }
    }
}
