package platform;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import schedule.Steps;

/**
 * All elements of a synchronized list are added to a synchronized set; the iteration holds only the lock of the latter.
 */
// include: java.util.Collections$Synchronized*:java.util.AbstractCollection
// finding: java.util.AbstractCollection.addAll(java.util.Collection) non-atomic iteration
// finding: java.util.Collections$SynchronizedCollection.addAll(java.util.Collection) non-atomic iteration
public class SynchronizedSetAddAll {
    private static final class Item {
        private boolean waits;
        private final int number;

        Item(int number) {
            this.number = number;
        }

        @Override
        public int hashCode() {
            if (waits) {
                Steps.done(1);
                Steps.await(2);
            }
            return number;
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Item item = new Item(1);
        Item last = new Item(2);
        List<Item> from = Collections.synchronizedList(new ArrayList<>(List.of(item, last)));
        Set<Item> to = Collections.synchronizedSet(new java.util.HashSet<>());
        Steps.run(() -> {
            item.waits = true;
            to.addAll(from);
            item.waits = false;
        }, () -> {
            Steps.await(1);
            from.remove(last);
            Steps.done(2);
        });
        System.out.println(new ArrayList<>(to).size() + " " + from.size());
    }
}
