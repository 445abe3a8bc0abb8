package rare;

import java.util.concurrent.ConcurrentHashMap;

/** A count in a concurrent map that is got and then put. */
public final class Words {
    private Words() {
    }

    public static final class Wrong extends Pair {
        private final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();

        @Override
        public void one() {
            Integer now = counts.get("word");
            counts.put("word", now == null ? 1 : now + 1);
        }

        @Override
        public boolean isRight() {
            return counts.get("word") == 2;
        }
    }

    public static final class Right extends Pair {
        private final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();

        @Override
        public void one() {
            counts.merge("word", 1, Integer::sum);
        }

        @Override
        public boolean isRight() {
            return counts.get("word") == 2;
        }
    }
}
