package provoked;

import java.util.concurrent.ConcurrentSkipListMap;

/** A key that is looked for and then put in, which takes the second thread long: the calls overlap if the first one does not wait for that. */
public final class Slow {
    private static final int LONG = 5_000_000;

    /** Whether the thread compares slowly now. */
    private static final ThreadLocal<Boolean> IS_SLOW = ThreadLocal.withInitial(() -> false);

    private final ConcurrentSkipListMap<String, Integer> map = new ConcurrentSkipListMap<>(Slow::compare);

    private static int compare(String one, String other) {
        int work = 0;
        for (int i = 0; IS_SLOW.get() && i < LONG; i++) {
            work += i;
        }
        return work == 1 ? 1 : one.compareTo(other);
    }

    // block provoked.Slow.count(java.lang.String,boolean)
    void count(String key, boolean isSlow) {
        Integer now = map.get(key); // first other provoked.Slow.count read get()
        IS_SLOW.set(isSlow);
        map.put(key, now == null ? 1 : now + 1); // last provoked.Slow.count write put()
    }

    public static void main(String[] args) throws InterruptedException {
        Slow slow = new Slow();
        Places.together(() -> slow.count("k", false), () -> slow.count("k", true));
    }
}
