package subjects;

/**
 * Runs one workload: {@code Main WORKLOAD THREADS SIZE}. Prints one line that depends only on the workload and its
 * size, not on the threads or their schedule. With {@code SECONDS} as a fourth argument it repeats the workload for that
 * long, so that its memory can be watched. A workload is a class of this package; what comes after a colon is for its
 * constructor. A wrong result ends the program with an exception.
 */
public final class Main {
    private Main() {
    }

    /** The program. */
    public static void main(String[] arguments) throws Exception {
        Workload workload = workload(arguments[0].split(":", 2));
        int threads = Integer.parseInt(arguments[1]);
        int size = Integer.parseInt(arguments[2]);
        long seconds = arguments.length == 4 ? Long.parseLong(arguments[3]) : 0;
        System.out.println(arguments[0] + " " + size + ": " + workload.run(threads, size));
        // In here, since a method of its own would be a block that is open all the time and reaches every thread.
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        while (System.nanoTime() < end) {
            workload.run(threads, size);
        }
    }

    private static Workload workload(String[] words) throws ReflectiveOperationException {
        Class<? extends Workload> type = Class.forName("subjects." + words[0]).asSubclass(Workload.class);
        return words.length == 1 ? type.getDeclaredConstructor().newInstance() : type.getDeclaredConstructor(String.class).newInstance(words[1]);
    }
}
