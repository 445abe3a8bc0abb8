package bugs;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The elements of another set are added while that is not locked. */
public final class Sets {
    private Sets() {
    }

    public static void main(String[] args) throws Exception {
        Set<String> set = Collections.synchronizedSet(new HashSet<>());
        Set<String> added = Collections.synchronizedSet(new HashSet<>(List.of("a", "b")));
        Luck.run(() -> set.addAll(added), () -> added.add("c"));
    }
}
