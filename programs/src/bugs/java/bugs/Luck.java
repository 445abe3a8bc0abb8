package bugs;

import java.nio.ByteBuffer;
import java.nio.channels.Pipe;

/**
 * Two threads that run one after the other, so that nothing goes wrong. Nothing in here is an event of the run ({@code exclude=bugs.*}),
 * and neither is the waiting: the threads are not ordered by anything that the agent sees.
 */
final class Luck {
    private Luck() {
    }

    /** What may throw anything. */
    interface Part {
        void run() throws Exception;
    }

    /** Runs both, and throws what one of them has thrown. */
    static void run(Part first, Part second) throws Exception {
        // What waits for a latch would come after it.
        Pipe done = Pipe.open();
        Exception[] thrown = new Exception[2];
        Thread[] threads = {
            new Thread(() -> {
                thrown[0] = tried(() -> {
                    try {
                        first.run();
                    } finally {
                        done.sink().close();
                    }
                });
            }, "first"),
            new Thread(() -> {
                thrown[1] = tried(() -> done.source().read(ByteBuffer.allocate(1)), second);
            }, "second"),
        };
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        for (Exception exception : thrown) {
            if (exception != null) {
                throw exception;
            }
        }
        System.out.println("nothing went wrong");
    }

    private static Exception tried(Part... parts) {
        try {
            for (Part part : parts) {
                part.run();
            }
            return null;
        } catch (Exception e) {
            return e;
        }
    }
}
