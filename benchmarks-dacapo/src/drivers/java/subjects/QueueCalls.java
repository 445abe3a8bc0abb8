package subjects;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Threads that call methods of one queue again and again, {@code size} times a thousand each: what a call with a model costs. The calls are {@code offer} and {@code
 * poll}, or {@code peek}, or {@code size}, of a {@link ConcurrentLinkedQueue}; or {@code put} and {@code take} of an {@link ArrayBlockingQueue}. A thread that puts an
 * element in takes one out next, which can be another thread's. A thousand calls are a block. Checked: what comes out is what was put in, each once, and what stays
 * there is seen by every call.
 */
final class QueueCalls implements Workload {
    private static final int BLOCK = 1000;
    private static final int ROOM = 64;

    /** What is put in: a new object each time. */
    private static final class Item {
        private final int value;

        Item(int value) {
            this.value = value;
        }
    }

    /** A thousand calls of a thread; returns the sum of what it has got, minus what it has put in. */
    private interface Block {
        long run() throws InterruptedException;
    }

    private final String call;
    private final ConcurrentLinkedQueue<Item> linked = new ConcurrentLinkedQueue<>();
    private final ArrayBlockingQueue<Item> bounded = new ArrayBlockingQueue<>(ROOM);

    QueueCalls(String call) {
        this.call = call;
    }

    @Override
    public String run(int threads, int size) throws Exception {
        boolean isChanged = call.equals("poll") || call.equals("take");
        linked.clear();
        if (!isChanged) {
            linked.add(new Item(1));
        }
        Block block = block();
        long[] sums = new long[threads];
        Team.round("caller", threads, me -> {
            long sum = 0;
            for (int i = 0; i < size; i++) {
                sum += block.run();
            }
            sums[me] = sum;
        });
        long sum = 0;
        for (long one : sums) {
            sum += one;
        }
        WrongResult.unless(isChanged ? 0 : (long) threads * size * BLOCK, sum, "what came out of the queue");
        WrongResult.unless(isChanged ? 0 : 1, linked.size() + bounded.size(), "what stayed in the queue");
        return size + " thousand calls of each thread";
    }

    private Block block() {
        switch (call) {
            case "poll":
                return this::offerAndPoll;
            case "peek":
                return this::peek;
            case "size":
                return this::size;
            default:
                return this::putAndTake;
        }
    }

    private long offerAndPoll() {
        long sum = 0;
        for (int i = 0; i < BLOCK / 2; i++) {
            linked.offer(new Item(i));
            // It is never empty here: each thread has put in as many as it has taken out, and one more.
            sum += linked.poll().value - i;
        }
        return sum;
    }

    private long peek() {
        long sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            sum += linked.peek().value;
        }
        return sum;
    }

    private long size() {
        long sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            sum += linked.size();
        }
        return sum;
    }

    private long putAndTake() throws InterruptedException {
        long sum = 0;
        for (int i = 0; i < BLOCK / 2; i++) {
            bounded.put(new Item(i));
            sum += bounded.take().value - i;
        }
        return sum;
    }
}
