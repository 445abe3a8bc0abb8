package platform;

import java.util.Hashtable;
import schedule.Steps;

/**
 * A table is compared with another one, which is locked only for each of its entries.
 */
// include: java.util.Hashtable
// finding: java.util.Hashtable.equals(java.lang.Object) stale check-then-act across critical sections
public class HashtableEquals {
    private static final class Value {
        private final boolean waits;

        Value(boolean waits) {
            this.waits = waits;
        }

        @Override
        public boolean equals(Object other) {
            if (waits) {
                Steps.done(1);
                Steps.await(2);
            }
            return other instanceof Value;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Hashtable<String, Value> table = new Hashtable<>();
        Hashtable<String, Value> other = new Hashtable<>();
        for (String key : new String[] {"a", "b"}) {
            table.put(key, new Value(true));
            other.put(key, new Value(false));
        }
        Steps.run(() -> System.out.println(table.equals(other)), () -> {
            Steps.await(1);
            other.put("c", new Value(false));
            Steps.done(2);
        });
    }
}
