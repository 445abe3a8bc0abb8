package loose;

import java.util.Collection;
import org.apache.commons.collections4.collection.SynchronizedCollection;
import org.apache.commons.collections4.set.ListOrderedSet;

/** One thread adds all of a synchronized collection to another one, while the other thread changes the first. */
public final class Collections4 {
    private Collections4() {
    }

    public static void main(String[] args) throws Exception {
        Collection<Object> collection = SynchronizedCollection.synchronizedCollection(new ListOrderedSet<>());
        Collection<Object> added = SynchronizedCollection.synchronizedCollection(new ListOrderedSet<>());
        added.add("one");
        added.add("two");
        Both.run(1000, round -> collection.addAll(added), round -> {
            added.add("another");
            added.remove("another");
        });
    }
}
