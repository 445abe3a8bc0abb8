package online;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/** The elements of another set are added while that is not locked. */
public final class Sets {
    private Sets() {
    }

    public static void main(String[] args) throws Exception {
        Set<Object> set = Collections.synchronizedSet(new HashSet<>());
        Set<Object> added = Collections.synchronizedSet(new HashSet<>());
        added.add(new StoppingNumber(1));
        added.add(new StoppingNumber(2));
        Race.run(() -> set.addAll(added), () -> added.add("another"));
    }
}
