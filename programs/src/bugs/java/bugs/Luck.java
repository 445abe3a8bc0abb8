package bugs;

import java.nio.ByteBuffer;
import java.nio.channels.Pipe;

/**
 * Two threads that run one after the other, so that nothing goes wrong. Nothing in this class is an event of the run ({@code exclude=bugs.*}),
 * including the waiting: nothing that the agent sees orders the threads.
 */
final class Luck {
    private Luck() {
    }

    /** A part that may throw anything. */
    interface Part {
        void run() throws Exception;
    }

    /** Runs both parts, and throws what one of them has thrown. */
    static void run(Part first, Part second) throws Exception {
        // A thread that waits for a latch would be ordered after it.
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
