/**
 * Varargs calls, each of which allocates an array that dies immediately, by two threads: {@code Varargs SECONDS
 * [int|object|table]}. Prints the number of calls each second, and the memory in use and resident every fifth second.
 */
public class Varargs {
    private static volatile boolean isOver;
    private long calls;

    static int sum(int... xs) {
        int sum = 0;
        for (int x : xs) {
            sum += x;
        }
        return sum;
    }

    static int count(Object... xs) {
        int n = 0;
        for (Object x : xs) {
            n += x == null ? 0 : 1;
        }
        return n;
    }

    private void run(boolean isInt) {
        int used = 0;
        for (int i = 0; !isOver; i++) {
            for (int k = 0; k < 100; k++) {
                used += isInt ? sum(i, k, used) : count("a", "b", null);
            }
            calls += 100;
        }
        if (used == 42) {
            System.out.print("");
        }
    }

    private static long resident() throws java.io.IOException {
        java.nio.file.Path status = java.nio.file.Path.of("/proc/self/status");
        if (!java.nio.file.Files.exists(status)) {
            return 0;
        }
        for (String line : java.nio.file.Files.readAllLines(status)) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
            }
        }
        return 0;
    }

    public static void main(String[] args) throws Exception {
        int seconds = Integer.parseInt(args[0]);
        boolean isInt = args.length < 2 || args[1].equals("int");
        Varargs[] runs = {new Varargs(), new Varargs()};
        Thread[] threads = new Thread[runs.length];
        for (int i = 0; i < threads.length; i++) {
            Varargs run = runs[i];
            threads[i] = new Thread(() -> run.run(isInt));
            threads[i].start();
        }
        for (int s = 1; s <= seconds; s++) {
            Thread.sleep(1000);
            if (s % 5 == 0) {
                System.out.println(s + " s: resident " + resident() + " MB");
            }
        }
        isOver = true;
        long calls = 0;
        for (int i = 0; i < threads.length; i++) {
            threads[i].join();
            calls += runs[i].calls;
        }
        System.out.println(calls / 1000 / seconds + " thousand calls a second");
    }
}
