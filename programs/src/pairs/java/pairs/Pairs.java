package pairs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.List;

/**
 * Runs each pair of methods of a class that can meet in two threads, the second after the first has returned, so that nothing goes
 * wrong. As in the reports of Wang and Stoller, each pair has its own two instances: one thread calls a method of the first, the
 * other one a method of the second. A method that takes an instance of its class gets the other one. Pairs of two
 * such methods are left out, since they could deadlock, and so are pairs without such a method, since they meet nowhere.
 *
 * <p>The only events of the run in this class are the start and the end of the threads ({@code exclude=pairs.*}).
 */
public final class Pairs {
    /** A method of class C, called on its own instance with the other one. */
    interface Call<C> {
        void on(C own, C other);
    }

    /** A class: how to create instances, the methods that take another instance, and the others. */
    static final class Subject<C> {
        final java.util.function.Supplier<C> make;
        final List<Call<C>> takingOther;
        final List<Call<C>> alone;

        Subject(java.util.function.Supplier<C> make, List<Call<C>> takingOther, List<Call<C>> alone) {
            this.make = make;
            this.takingOther = takingOther;
            this.alone = alone;
        }

        int run() throws InterruptedException, IOException {
            for (Call<C> first : takingOther) {
                for (Call<C> second : alone) {
                    pair(first, second);
                }
            }
            return takingOther.size() * alone.size();
        }

        private void pair(Call<C> first, Call<C> second) throws InterruptedException, IOException {
            C one = make.get();
            C two = make.get();
            // A thread that waits for a latch would be ordered after it.
            Pipe done = Pipe.open();
            Throwable[] thrown = new Throwable[1];
            Thread[] threads = {
                new Thread(() -> {
                    first.on(one, two);
                    close(done);
                }),
                new Thread(() -> {
                    awaitClosed(done);
                    second.on(two, one);
                }),
            };
            for (Thread thread : threads) {
                thread.setUncaughtExceptionHandler((failed, error) -> {
                    thrown[0] = error;
                    close(done);
                });
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            done.source().close();
            if (thrown[0] != null) {
                throw new IllegalStateException(thrown[0]);
            }
        }

        private static void close(Pipe pipe) {
            try {
                pipe.sink().close();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        private static void awaitClosed(Pipe pipe) {
            try {
                pipe.source().read(ByteBuffer.allocate(1));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private Pairs() {
    }

    public static void main(String[] args) throws InterruptedException, IOException {
        System.out.println(Subjects.named(args[0]).run() + " pairs");
    }
}
