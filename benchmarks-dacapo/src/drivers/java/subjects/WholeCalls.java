package subjects;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Threads that look at one collection again and again, {@code size} times a thousand each, at the whole of it or at one element: what a call with a model costs. The
 * calls are {@code stream}, {@code mapToInt} and {@code sum} (of an {@link ArrayList}), or {@code get} (of a {@link CopyOnWriteArrayList}), or {@code values} and {@code
 * forEach} (of a {@link ConcurrentHashMap}); there are eight numbers in each. A thousand times that are a block. Checked: each call finds what is there.
 */
final class WholeCalls implements Workload {
    private static final int BLOCK = 1000;
    private static final int NUMBERS = 8;

    /** A thousand calls of a thread; returns the sum of what they have found. */
    private interface Block {
        long run();
    }

    private final String call;
    private final List<Integer> plain = new ArrayList<>();
    private final CopyOnWriteArrayList<Integer> copied = new CopyOnWriteArrayList<>();
    private final ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();

    WholeCalls(String call) {
        this.call = call;
        for (int i = 0; i < NUMBERS; i++) {
            plain.add(i);
            copied.add(i);
            map.put(i, i);
        }
    }

    @Override
    public String run(int threads, int size) throws Exception {
        Block block = block();
        long[] sums = new long[threads];
        Team.round("caller", threads, me -> {
            long sum = 0;
            for (int i = 0; i < size; i++) {
                sum += block.run();
            }
            sums[me] = sum;
        });
        // The sum of all, or as often each of them.
        long expected = (long) size * BLOCK * NUMBERS * (NUMBERS - 1) / 2 / (call.equals("snapshot") ? NUMBERS : 1);
        for (long sum : sums) {
            WrongResult.unless(expected, sum, "what the calls of a thread have found");
        }
        return size + " thousand calls of each thread";
    }

    private Block block() {
        switch (call) {
            case "stream":
                return this::stream;
            case "snapshot":
                return this::snapshot;
            default:
                return this::values;
        }
    }

    private long stream() {
        long sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            sum += plain.stream().mapToInt(n -> n).sum();
        }
        return sum;
    }

    private long snapshot() {
        long sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            sum += copied.get(i % NUMBERS);
        }
        return sum;
    }

    private long values() {
        long[] sum = new long[1];
        for (int i = 0; i < BLOCK; i++) {
            map.values().forEach(n -> sum[0] += n);
        }
        return sum[0];
    }
}
