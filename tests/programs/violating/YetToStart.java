package violating;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import schedule.Steps;

/**
 * Who looks at a number of keys, a queue or a sum has seen that threads have changed nothing that are started later; also where these are many.
 */
public class YetToStart {
    /** More than there can be numbers of threads for which something is prepared. */
    private static final int MANY = 80;
    private static final ConcurrentSkipListMap<String, Integer> SORTED = new ConcurrentSkipListMap<>();
    private static final ConcurrentHashMap<String, Integer> MAP = new ConcurrentHashMap<>();
    private static final ConcurrentHashMap<String, Integer> OF_MANY = new ConcurrentHashMap<>();
    private static final ConcurrentLinkedQueue<String> QUEUE = new ConcurrentLinkedQueue<>();
    private static final LongAdder SUM = new LongAdder();
    private static final ConcurrentHashMap<String, Integer> OF_TWO = new ConcurrentHashMap<>();
    private static final ConcurrentHashMap<String, Integer> OF_MORE = new ConcurrentHashMap<>();
    private static int seen;
    private static int seenOfMore;

    // finding: violating.YetToStart.first() stale check-then-act on a collection
    static void first() {
        if (SORTED.firstEntry() == null) {
            meanwhile(1);
            SORTED.put("k", 1);
        }
    }

    // finding: violating.YetToStart.twice() unrepeatable read
    static int twice() {
        int before = MAP.size();
        meanwhile(3);
        return MAP.size() - before;
    }

    // finding: violating.YetToStart.offerFirst() stale check-then-act on a collection
    static void offerFirst() {
        if (QUEUE.isEmpty()) {
            meanwhile(5);
            QUEUE.add("one");
        }
    }

    // finding: violating.YetToStart.take() lost update
    static long take() {
        long taken = SUM.sum();
        meanwhile(7);
        SUM.reset();
        return taken;
    }

    // finding: violating.YetToStart.ofMany() unrepeatable read
    static int ofMany() {
        int before = OF_MANY.size();
        meanwhile(9);
        return OF_MANY.size() - before;
    }

    /** The second thread that changes something has a part that was not there when the block has looked. */
    // finding: violating.YetToStart.seesSecond() inconsistent view
    static int seesSecond() {
        int before = OF_TWO.size();
        Steps.done(11);
        Steps.await(112);
        return before + seen;
    }

    /** The same, where another thread has looked as well. */
    // finding: violating.YetToStart.seesSecondOfMore() inconsistent view
    static int seesSecondOfMore() {
        int before = OF_MORE.size();
        Steps.done(113);
        Steps.await(116);
        return before + seenOfMore;
    }

    /** The block has looked, and goes on when the other thread, which is started now, has done something. */
    private static void meanwhile(int step) {
        Steps.done(step);
        Steps.await(step + 1);
    }

    // waits inside: violating.YetToStart.between(java.lang.Runnable,int,java.lang.Runnable[])
    private static void between(Runnable block, int step, Runnable... others) throws InterruptedException {
        Thread looks = new Thread(block);
        looks.start();
        Steps.await(step);
        List<Thread> all = new ArrayList<>();
        for (Runnable other : others) {
            all.add(new Thread(other));
        }
        for (Thread one : all) {
            one.start();
        }
        looks.join();
        for (Thread one : all) {
            one.join();
        }
    }

    private static Runnable done(int step, Runnable what) {
        return () -> {
            what.run();
            Steps.done(step);
        };
    }

    public static void main(String[] args) throws InterruptedException {
        between(YetToStart::first, 1, done(2, () -> SORTED.put("k", 2)));
        between(YetToStart::twice, 3, done(4, () -> MAP.put("k", 2)));
        between(YetToStart::offerFirst, 5, done(6, () -> QUEUE.add("two")));
        between(YetToStart::take, 7, done(8, () -> SUM.add(7)));
        Runnable[] many = new Runnable[MANY];
        for (int i = 0; i < MANY; i++) {
            String key = "k" + i;
            many[i] = i + 1 < MANY ? () -> Steps.await(10) : done(10, () -> OF_MANY.put(key, 1));
        }
        between(YetToStart::ofMany, 9, many);
        between(YetToStart::seesSecond, 11, () -> {
            OF_TWO.put("first", 1);
            Steps.done(111);
        }, () -> {
            Steps.await(111);
            OF_TWO.put("second", 2);
            seen = 1;
            Steps.done(112);
        });
        Steps.alone(() -> OF_MORE.size(), "looks, too");
        between(YetToStart::seesSecondOfMore, 113, () -> {
            OF_MORE.put("first", 1);
            Steps.done(115);
        }, () -> {
            Steps.await(115);
            OF_MORE.put("second", 2);
            seenOfMore = 1;
            Steps.done(116);
        });
        System.out.println(SORTED.size() + " " + MAP.size() + " " + QUEUE.size() + " " + SUM.sum() + " " + OF_MANY.size());
    }
}
