package violating;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import schedule.Steps;

/**
 * An iteration, twice, over a map in which more has been looked for than it has: each look makes a key of its own. What another thread writes meanwhile is
 * seen all the same.
 */
public class LookedForKeys {
    /** Who looks makes one, and forgets it. */
    private static final class Name {
        private final String text;

        Name(String text) {
            this.text = text;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Name && ((Name) o).text.equals(text);
        }

        @Override
        public int hashCode() {
            return text.hashCode();
        }
    }

    private final Map<Name, Integer> map = new ConcurrentHashMap<>();

    // finding: violating.LookedForKeys.sumTwice() unrepeatable read
    int sumTwice() {
        int sum = map.values().stream().mapToInt(value -> value).sum();
        Steps.done(1);
        Steps.await(2);
        return map.values().stream().mapToInt(value -> value).sum() - sum;
    }

    public static void main(String[] args) throws InterruptedException {
        LookedForKeys p = new LookedForKeys();
        Name name = new Name("a");
        p.map.put(name, 1);
        int found = 0;
        for (int i = 0; i < 10_000; i++) {
            found += p.map.get(new Name("a"));
        }
        int[] difference = new int[1];
        Steps.run(() -> difference[0] = p.sumTwice(), () -> {
            Steps.await(1);
            p.map.put(name, 2);
            Steps.done(2);
        });
        System.out.println(found + " " + difference[0]);
    }
}
