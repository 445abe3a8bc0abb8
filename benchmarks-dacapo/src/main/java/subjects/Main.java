package subjects;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Runs one workload: {@code Main WORKLOAD THREADS SIZE}. Prints one line that depends only on the workload and its
 * size, not on the threads or their schedule. With {@code SECONDS} as a fourth argument it repeats the workload for that
 * long, so that its memory can be watched. Exits with 1 if the result is wrong, with 2 if the command line is wrong.
 */
public final class Main {
    private Main() {
    }

    /** The program. */
    public static void main(String[] arguments) throws Exception {
        Map<String, Workload> workloads = new LinkedHashMap<>();
        workloads.put("h2", new Bank());
        workloads.put("sparse", new SparseMatrix());
        workloads.put("particles", new Particles());
        workloads.put("arrays", new DyingArrays());
        workloads.put("threads", new ShortThreads());
        Workload workload = arguments.length == 3 || arguments.length == 4 ? workloads.get(arguments[0]) : null;
        if (workload == null) {
            System.err.println("usage: Main WORKLOAD THREADS SIZE [SECONDS], with a workload of " + String.join(", ", workloads.keySet()));
            System.exit(2);
            return;
        }
        int threads = Integer.parseInt(arguments[1]);
        int size = Integer.parseInt(arguments[2]);
        long seconds = arguments.length == 4 ? Long.parseLong(arguments[3]) : 0;
        try {
            System.out.println(arguments[0] + " " + size + ": " + workload.run(threads, size));
            // In here, since a method of its own would be a block that is open all the time and reaches every thread.
            long end = System.nanoTime() + seconds * 1_000_000_000L;
            while (System.nanoTime() < end) {
                workload.run(threads, size);
            }
        } catch (WrongResult wrong) {
            System.err.println(arguments[0] + " " + size + ": wrong result: " + wrong.getMessage());
            System.exit(1);
        }
    }
}
