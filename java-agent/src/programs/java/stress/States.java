package stress;

import static dev.regiontrack.check.Operation.UNKNOWN;
import static dev.regiontrack.check.Operation.did;
import static dev.regiontrack.check.Operation.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Queues whose sizes tell how often each was changed: for every thread one into which only that thread puts elements, and one from which only it takes
 * them. All threads look at them.
 */
final class States {
    private static final Object ELEMENT = new Object();

    private final List<Queue<Object>> put = new ArrayList<>();
    private final List<Queue<Object>> taken = new ArrayList<>();
    private final long[] puts;
    private final long[] takes;
    /** How many elements there were. */
    private final int filled;

    States(int threads, int operations) {
        puts = new long[threads];
        takes = new long[threads];
        filled = operations / 32 + 64;
        for (int i = 0; i < threads; i++) {
            put.add(new LinkedBlockingQueue<>());
            taken.add(new LinkedBlockingQueue<>(Collections.nCopies(filled, ELEMENT)));
        }
    }

    /** Changes a queue of the thread's, or looks at one of another. */
    void one(long[] log, int which, int key, int me) {
        int other = key % put.size();
        long of = history(Library.STATE, other);
        long ofTaken = history(Library.STATE, put.size() + other);
        switch (which & 7) {
            case 0: case 1:
                put.get(me).add(ELEMENT);
                Library.counted(log, history(Library.STATE, me), ++puts[me]);
                break;
            case 2:
                if (takes[me] < filled - 1) {
                    taken.get(me).poll();
                    Library.counted(log, history(Library.STATE, put.size() + me), ++takes[me]);
                }
                break;
            case 3: did(log, of, put.get(other).size(), 0); break;
            case 4: did(log, ofTaken, filled - taken.get(other).size(), 0); break;
            case 5: did(log, of, put.get(other).toArray().length, 0); break;
            case 6: did(log, ofTaken, taken.get(other).isEmpty() ? 0 : UNKNOWN, 0); break;
            default: did(log, of, put.get(other).peek() == null ? 0 : UNKNOWN, 0);
        }
    }
}
