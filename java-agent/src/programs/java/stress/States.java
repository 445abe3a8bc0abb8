package stress;

import static dev.regiontrack.check.Operation.UNKNOWN;
import static dev.regiontrack.check.Operation.did;
import static dev.regiontrack.check.Operation.history;

import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Queues whose sizes tell how often each was changed: for every thread one into which only that thread puts elements, and one from which only it takes
 * them. All threads look at them.
 */
final class States {
    private static final Object ELEMENT = new Object();

    private final Queue<Object>[] put;
    private final Queue<Object>[] taken;
    private final long[] puts;
    private final long[] takes;
    /** How many elements there were. */
    private final int filled;

    @SuppressWarnings("unchecked")
    States(int threads, int operations) {
        put = new Queue[threads];
        taken = new Queue[threads];
        puts = new long[threads];
        takes = new long[threads];
        filled = operations / 32 + 64;
        for (int i = 0; i < threads; i++) {
            put[i] = new LinkedBlockingQueue<>();
            taken[i] = new LinkedBlockingQueue<>();
            for (int k = 0; k < filled; k++) {
                taken[i].add(ELEMENT);
            }
        }
    }

    /** Changes a queue of the thread's, or looks at one of another. */
    void one(long[] log, int which, int key, int me) {
        int other = key % put.length;
        long of = history(Library.STATE, other);
        long ofTaken = history(Library.STATE, put.length + other);
        switch (which & 7) {
            case 0: case 1:
                put[me].add(ELEMENT);
                Library.counted(log, history(Library.STATE, me), ++puts[me]);
                break;
            case 2:
                if (takes[me] < filled - 1) {
                    taken[me].poll();
                    Library.counted(log, history(Library.STATE, put.length + me), ++takes[me]);
                }
                break;
            case 3: did(log, of, put[other].size(), 0); break;
            case 4: did(log, ofTaken, filled - taken[other].size(), 0); break;
            case 5: did(log, of, put[other].toArray().length, 0); break;
            case 6: did(log, ofTaken, taken[other].isEmpty() ? 0 : UNKNOWN, 0); break;
            default: did(log, of, put[other].peek() == null ? 0 : UNKNOWN, 0);
        }
    }
}
