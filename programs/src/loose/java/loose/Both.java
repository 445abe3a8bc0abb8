package loose;

import java.util.function.IntFunction;

/**
 * Two threads that call methods repeatedly, like clients that do not know the bug: only their start and their end order them.
 *
 * <p>Exceptions of the calls are counted and printed, because most of the bugs show that way; the thread continues.
 */
final class Both {
    private Both() {
    }

    /** A call; rounds are counted from 0. */
    interface Part {
        void run(int round) throws Exception;
    }

    /** Lets each thread make its calls, and prints how many failed. */
    static void run(int rounds, Part first, Part second) throws InterruptedException {
        Client[] clients = {new Client("first", rounds, first), new Client("second", rounds, second)};
        for (Client client : clients) {
            client.start();
        }
        for (Client client : clients) {
            client.join();
            System.out.println(client.getName() + ": " + client.failed + " of " + rounds + " failed");
        }
    }

    /** Creates the objects that both threads use, one in each round, before they start. */
    static <T> Object[] objects(int rounds, IntFunction<T> make) {
        Object[] objects = new Object[rounds];
        for (int round = 0; round < rounds; round++) {
            objects[round] = make.apply(round);
        }
        return objects;
    }

    /** One of the threads. */
    private static final class Client extends Thread {
        private final int rounds;
        private final Part part;
        private int failed;

        Client(String name, int rounds, Part part) {
            super(name);
            this.rounds = rounds;
            this.part = part;
        }

        @Override
        public void run() {
            for (int round = 0; round < rounds; round++) {
                try {
                    part.run(round);
                } catch (Exception e) {
                    failed++;
                }
            }
        }
    }
}
