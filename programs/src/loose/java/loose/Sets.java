package loose;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/** One thread adds all of a synchronized set to another one, while the other thread changes the first. */
public final class Sets {
    private Sets() {
    }

    public static void main(String[] args) throws Exception {
        Set<Object> set = Collections.synchronizedSet(new HashSet<>());
        Set<Object> added = Collections.synchronizedSet(new HashSet<>());
        added.add("one");
        added.add("two");
        Both.run(1000, round -> set.addAll(added), round -> {
            added.add("another");
            added.remove("another");
        });
    }
}
