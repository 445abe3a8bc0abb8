package subjects;

/**
 * Threads that visit a few variables, {@code size} times each: what a dependency costs, and how that grows with the
 * threads. The pattern is {@code private} (each thread adds to a variable of its own), {@code read} (all read the same),
 * {@code locked} (they add under the variable's lock) or {@code racing} (they write without one), and after a colon
 * how many variables there are. Checked: nothing that was added is lost, and nothing is read that nobody has written.
 */
final class Cells implements Workload {
    /** A variable. */
    private static final class Cell {
        long value;
    }

    /** One visit of a thread. */
    private interface Visit {
        long by(int number, int i);
    }

    private final String pattern;
    private final int count;
    private Cell[] cells;

    Cells(String pattern) {
        String[] words = pattern.split(":");
        this.pattern = words[0];
        count = words.length == 1 ? 1 : Integer.parseInt(words[1]);
    }

    @Override
    public String run(int threads, int size) throws Exception {
        cells = new Cell[pattern.equals("private") ? threads : count];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = new Cell();
            cells[i].value = pattern.equals("read") ? 1 : 0;
        }
        Visit visit = visit();
        long[] sums = new long[threads];
        Team.round("visitor", threads, number -> {
            long sum = 0;
            for (int i = 0; i < size; i++) {
                sum += visit.by(number, i);
            }
            sums[number] = sum;
        });
        check(threads, size, sums);
        return size + " visits of each thread";
    }

    /** What a thread does with a variable at a visit; returns 1. */
    private Visit visit() {
        switch (pattern) {
            case "private":
                return (number, i) -> add(cells[number]);
            case "read":
                return (number, i) -> read(cells[i % count]);
            case "locked":
                return (number, i) -> addLocked(cells[(i + number) % count]);
            default:
                return (number, i) -> write(cells[(i + number) % count], i + 1);
        }
    }

    private static long read(Cell cell) {
        return cell.value;
    }

    private static long add(Cell cell) {
        cell.value++;
        return 1;
    }

    private static long addLocked(Cell cell) {
        synchronized (cell) {
            return add(cell);
        }
    }

    private static long write(Cell cell, long value) {
        cell.value = value;
        return 1;
    }

    private void check(int threads, int size, long[] sums) throws WrongResult {
        long values = 0;
        for (Cell cell : cells) {
            values += cell.value;
            if (cell.value < 0 || pattern.equals("racing") && cell.value > size) {
                throw new WrongResult("a variable is " + cell.value);
            }
        }
        for (long sum : sums) {
            WrongResult.unless(size, sum, "what a thread has counted");
        }
        if (!pattern.equals("racing")) {
            WrongResult.unless(pattern.equals("read") ? count : (long) threads * size, values, "the sum of the variables");
        }
    }
}
