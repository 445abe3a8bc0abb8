package violating;

import java.util.concurrent.CountedCompleter;
import schedule.Steps;

/**
 * Who completes the last of the parts of a task comes after all that have completed the others, of which each has seen something of the same method.
 */
public class CompletersInside {
    /** A part, or what they are parts of. */
    static class Part extends CountedCompleter<Void> {
        private static final long serialVersionUID = 1;

        Part(Part whole, int pending) {
            super(whole, pending);
        }

        @Override
        public void compute() {
            throw new IllegalStateException("it is completed by hand");
        }
    }

    private int number;

    // finding: violating.CompletersInside.complete(violating.CompletersInside$Part) interference
    int complete(Part part) {
        number = 1;
        Steps.done(1);
        Steps.await(2);
        part.tryComplete();
        return number;
    }

    // finding: violating.CompletersInside.propagate(violating.CompletersInside$Part) interference
    int propagate(Part part) {
        number = 2;
        Steps.done(3);
        Steps.await(4);
        part.propagateCompletion();
        return number;
    }

    // finding: violating.CompletersInside.completeNext(violating.CompletersInside$Part) interference
    boolean completeNext(Part part) {
        number = 3;
        Steps.done(5);
        Steps.await(6);
        return part.nextComplete() == null;
    }

    private int number() {
        return number;
    }

    private int completeAfter(int step, Part part) {
        Steps.await(step);
        int seen = number();
        part.tryComplete();
        Steps.done(step + 1);
        return seen;
    }

    public static void main(String[] args) throws InterruptedException {
        CompletersInside p = new CompletersInside();
        Part[] wholes = {new Part(null, 1), new Part(null, 1), new Part(null, 1)};
        Part inner = new Part(wholes[1], 1);
        boolean[] isNone = new boolean[1];
        Steps.run(() -> {
            p.complete(new Part(wholes[0], 0));
            p.propagate(new Part(inner, 0));
            isNone[0] = p.completeNext(new Part(wholes[2], 0));
        }, () -> {
            p.completeAfter(1, new Part(wholes[0], 0));
            p.completeAfter(3, new Part(inner, 0));
            p.completeAfter(5, new Part(wholes[2], 0));
        });
        System.out.println(wholes[0].isDone() + " " + wholes[1].isDone() + " " + wholes[1].getPendingCount() + " " + isNone[0]);
    }
}
