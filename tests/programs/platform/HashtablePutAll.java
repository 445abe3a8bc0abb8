package platform;

import java.util.Hashtable;
import java.util.Map;
import schedule.Steps;

/**
 * All entries of one table are put into another one; the iteration holds only the lock of the latter.
 */
// include: java.util.Hashtable
// finding: java.util.Hashtable.putAll(java.util.Map) inconsistent view
public class HashtablePutAll {
    private static final class Key {
        private boolean waits;

        @Override
        public int hashCode() {
            if (waits) {
                Steps.done(1);
                Steps.await(2);
            }
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Map<Key, String> from = new Hashtable<>();
        Key key = new Key();
        from.put(key, "value");
        Map<Key, String> to = new Hashtable<>();
        Steps.run(() -> {
            key.waits = true;
            to.putAll(from);
            key.waits = false;
        }, () -> {
            Steps.await(1);
            from.clear();
            Steps.done(2);
        });
        System.out.println(to.size() + " " + from.size());
    }
}
