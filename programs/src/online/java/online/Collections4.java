package online;

import java.util.Collection;

import org.apache.commons.collections4.collection.SynchronizedCollection;
import org.apache.commons.collections4.set.ListOrderedSet;

/** The elements of another synchronized collection are added while that is not locked. */
public final class Collections4 {
    private Collections4() {
    }

    public static void main(String[] args) throws Exception {
        Collection<Object> collection = SynchronizedCollection.synchronizedCollection(new ListOrderedSet<>());
        Collection<Object> added = SynchronizedCollection.synchronizedCollection(new ListOrderedSet<>());
        added.add(new StoppingNumber(1));
        added.add(new StoppingNumber(2));
        Race.run(() -> collection.addAll(added), () -> added.add("another"));
    }
}
