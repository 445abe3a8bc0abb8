package loose;

import java.util.Collection;
import org.apache.commons.collections.CollectionUtils;
import org.apache.commons.collections.set.ListOrderedSet;

/** One thread adds all of a synchronized collection to another one, while the other thread changes the first. */
public final class Collections3 {
    private Collections3() {
    }

    public static void main(String[] args) throws Exception {
        Collection<Object> collection = synchronizedSet();
        Collection<Object> added = synchronizedSet();
        added.add("one");
        added.add("two");
        Both.run(1000, round -> collection.addAll(added), round -> {
            added.add("another");
            added.remove("another");
        });
    }

    @SuppressWarnings("unchecked")
    private static Collection<Object> synchronizedSet() {
        return CollectionUtils.synchronizedCollection(new ListOrderedSet());
    }
}
