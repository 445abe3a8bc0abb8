package subjects;

/** Threads that do a job's parts and are waited for: the end of a round is the only barrier. */
final class Team {
    /** What one of the threads does. */
    interface Part {
        void run(int number) throws Exception;
    }

    private Team() {
    }

    /** Runs part 0 to {@code threads - 1}, each in a thread of its own, to the end of all; throws what the first of them threw. */
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

    /** Where part {@code number} of {@code parts} begins in {@code length} items; part {@code parts} begins at the end. */
    static int begin(int number, int parts, int length) {
        return (int) ((long) length * number / parts);
    }
}
