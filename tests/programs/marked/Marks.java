package marked;

import schedule.Steps;

/**
 * Three methods lose an update: a marked method, a method of a marked class, and one without a mark.
 */
public class Marks {
    private int count;

    @Atomic
    void marked() {
        int seen = count;
        Steps.done(1);
        Steps.await(2);
        count = seen + 1;
    }

    void unmarked() {
        int seen = count;
        Steps.done(5);
        Steps.await(6);
        count = seen + 1;
    }

    void add(int n) {
        count += n;
    }

    /** A separate counter, marked as a class. */
    @AllAtomic
    static class Whole {
        private int count;

        void slow() {
            int seen = count;
            Steps.done(3);
            Steps.await(4);
            count = seen + 1;
        }

        void add(int n) {
            count += n;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Marks marks = new Marks();
        Whole whole = new Whole();
        Steps.run(() -> {
            marks.marked();
            whole.slow();
            marks.unmarked();
        }, () -> {
            Steps.await(1);
            marks.add(5);
            Steps.done(2);
            Steps.await(3);
            whole.add(5);
            Steps.done(4);
            Steps.await(5);
            marks.add(5);
            Steps.done(6);
        });
        System.out.println("count " + marks.count + " " + whole.count);
    }
}
