package online;

import java.util.Collection;

import org.apache.commons.collections.CollectionUtils;
import org.apache.commons.collections.set.ListOrderedSet;

/** The elements of another synchronized collection are added while that is not locked. */
public final class Collections3 {
    private Collections3() {
    }

    @SuppressWarnings("unchecked")
    public static void main(String[] args) throws Exception {
        Collection<Object> collection = CollectionUtils.synchronizedCollection(new ListOrderedSet());
        Collection<Object> added = CollectionUtils.synchronizedCollection(new ListOrderedSet());
        added.add(new StoppingNumber(1));
        added.add(new StoppingNumber(2));
        Race.run(() -> collection.addAll(added), () -> added.add("another"));
    }
}
