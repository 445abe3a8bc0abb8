package subjects;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Runs one workload: {@code Main WORKLOAD THREADS SIZE}. Prints one line that depends only on the workload and its
 * size, not on the threads or their schedule. Exits with 1 if the result is wrong, with 2 if the command line is wrong.
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
        Workload workload = arguments.length == 3 ? workloads.get(arguments[0]) : null;
        if (workload == null) {
            System.err.println("usage: Main WORKLOAD THREADS SIZE, with a workload of " + String.join(", ", workloads.keySet()));
            System.exit(2);
            return;
        }
        int threads = Integer.parseInt(arguments[1]);
        int size = Integer.parseInt(arguments[2]);
        try {
            System.out.println(arguments[0] + " " + size + ": " + workload.run(threads, size));
        } catch (WrongResult wrong) {
            System.err.println(arguments[0] + " " + size + ": wrong result: " + wrong.getMessage());
            System.exit(1);
        }
    }
}
