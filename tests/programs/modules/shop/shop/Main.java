package shop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.ServiceLoader;
import stock.Stock;

/** Two customers, of whom the second takes while the first has only looked. */
public final class Main {
    private Main() {
    }

    /** What holds the customers back is a pipe, which the agent knows nothing of: with a latch their methods would be ones that wait. */
    private static void await(Pipe pipe) {
        try {
            pipe.source().read(ByteBuffer.allocate(1));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void done(Pipe pipe) {
        try {
            pipe.sink().write(ByteBuffer.allocate(1));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The program. */
    public static void main(String[] args) throws InterruptedException, IOException {
        Stock stock = ServiceLoader.load(Stock.class).findFirst().orElseThrow();
        Pipe looked = Pipe.open();
        Pipe taken = Pipe.open();
        Thread first = new Thread(() -> stock.take(() -> {
            done(looked);
            await(taken);
        }), "first");
        Thread second = new Thread(() -> {
            await(looked);
            stock.take(() -> { });
            done(taken);
        }, "second");
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(stock.size() + " of " + stock.getClass().getName() + " in " + stock.getClass().getModule());
    }
}
