package subjects;

/** Threads that run the parts of a job and are joined: the end of a round is the only barrier. */
final class Team {
    /** The work of one thread. */
    interface Part {
        void run(int number) throws Exception;
    }

    private Team() {
    }

    /** Runs parts 0 to {@code threads - 1} in separate threads until all have ended; rethrows the first exception. */
    static void round(String name, int threads, Part part) throws Exception {
        Thread[] all = new Thread[threads];
        Exception[] thrown = new Exception[threads];
        for (int i = 0; i < threads; i++) {
            int number = i;
            all[i] = new Thread(() -> {
                try {
                    part.run(number);
                } catch (Exception e) {
                    thrown[number] = e;
                }
            }, name + "-" + number);
            all[i].start();
        }
        for (Thread thread : all) {
            thread.join();
        }
        for (Exception e : thrown) {
            if (e != null) {
                throw e;
            }
        }
    }

    /** The first of {@code length} items in part {@code number} of {@code parts}; part {@code parts} begins at the end. */
    static int begin(int number, int parts, int length) {
        return (int) ((long) length * number / parts);
    }
}
