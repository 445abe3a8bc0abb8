package platform;

import java.util.List;
import java.util.Vector;
import schedule.Steps;

/**
 * A method of one vector asks another one several times, which is locked only for each question.
 */
// include: java.util.Vector
// finding: java.util.Vector.bulkRemove(java.util.function.Predicate) stale check-then-act across critical sections
// finding: java.util.Vector.removeAll(java.util.Collection) stale check-then-act across critical sections
public class VectorRemoveAll {
    /** The schedule is forced between two questions. */
    private static final class Other extends Vector<String> {
        private static final long serialVersionUID = 1;

        Other(List<String> elements) {
            super(elements);
        }

        @Override
        public boolean contains(Object element) {
            boolean isThere = super.contains(element);
            Steps.done(1);
            Steps.await(2);
            return isThere;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        List<String> from = new Vector<>(List.of("a", "b", "c"));
        Vector<String> other = new Other(List.of("b", "c"));
        Steps.run(() -> {
            from.removeAll(other);
            System.out.println("left " + from);
        }, () -> {
            Steps.await(1);
            other.clear();
            Steps.done(2);
        });
    }
}
