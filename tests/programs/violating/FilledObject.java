package violating;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import schedule.Steps;

/**
 * A method makes an object, fills it, and lets it go where no hook is; another thread reads a field, and the method reads what that thread
 * has written then. That the one comes after the other shows only by the fields, which were written while the object was still the
 * method's own: no constructor writes them.
 */
public class FilledObject {
    private static final Queue<Object> QUEUE = new ConcurrentLinkedQueue<>();
    private static Pair published;
    private int answer;
    private int step;

    private static class Pair {
        int left;
        long right;

        void send() {
            QUEUE.add(this);
        }
    }

    /** The class above can do with a new object what it likes. */
    private static final class Triple extends Pair {
        String name;

        Triple(int ignored) {
            super();
        }

        Triple() {
            this(1);
        }
    }

    /** A constructor that hands its object on, and one that does so by the one above. */
    private static class Leaking extends Pair {
        Leaking() {
            QUEUE.add(this);
        }
    }

    private static final class BelowLeaking extends Leaking {
        int more;
    }

    private static final class LeakingByMethod extends Pair {
        LeakingByMethod() {
            send();
        }
    }

    private static final class Thrown extends RuntimeException {
        private static final long serialVersionUID = 1;
        int left;
    }

    /** Kept where no hook is. */
    private static final class Holder {
        private final Pair kept;

        Holder(Pair kept) {
            this.kept = kept;
        }
    }

    private void hear() {
        Steps.done(++step);
        Steps.await(++step);
        if (answer == 0) {
            throw new IllegalStateException("no answer");
        }
    }

    // finding: violating.FilledObject.passes() interference
    void passes() {
        Pair pair = new Pair();
        pair.left = 1;
        pair.right = 2;
        QUEUE.add(pair);
        hear();
    }

    // finding: violating.FilledObject.passesOneWithMoreConstructors() interference
    void passesOneWithMoreConstructors() {
        Triple triple = new Triple();
        triple.left = 1;
        triple.right = triple.left + 2;
        triple.name = "three";
        QUEUE.add(triple);
        hear();
    }

    private static Pair filled(int left) {
        Pair pair = new Pair();
        pair.left = left;
        pair.right = pair.left;
        return pair;
    }

    // finding: violating.FilledObject.passesWhatWasReturned() interference
    void passesWhatWasReturned() {
        QUEUE.add(filled(1));
        hear();
    }

    // finding: violating.FilledObject.sendsItself() interference
    void sendsItself() {
        Pair pair = new Pair();
        pair.left = 1;
        pair.right = 2;
        pair.send();
        hear();
    }

    // finding: violating.FilledObject.captures() interference
    void captures() {
        Pair pair = new Pair();
        pair.left = 1;
        pair.right = 2;
        Supplier<Pair> supplier = () -> pair;
        QUEUE.add(supplier);
        hear();
    }

    // finding: violating.FilledObject.keepsInFinalField() interference
    void keepsInFinalField() {
        Pair pair = new Pair();
        pair.left = 1;
        pair.right = 2;
        QUEUE.add(new Holder(pair));
        hear();
    }

    // finding: violating.FilledObject.keepsInArray() interference
    void keepsInArray() {
        Pair[] pairs = new Pair[1];
        Pair pair = new Pair();
        pair.left = 1;
        pair.right = 2;
        pairs[0] = pair;
        QUEUE.add(pairs[0]);
        hear();
    }

    // finding: violating.FilledObject.passesAfterStore() interference
    void passesAfterStore() {
        Pair pair = new Pair();
        pair.left = 1;
        pair.right = 2;
        published = pair;
        QUEUE.add(pair);
        hear();
    }

    // finding: violating.FilledObject.passesOtherName() interference
    void passesOtherName() {
        Pair pair = new Pair();
        pair.left = 1;
        Pair other = pair;
        pair = null;
        other.right = 2;
        QUEUE.add(other);
        hear();
    }

    // finding: violating.FilledObject.passesLastOfMany() interference
    void passesLastOfMany() {
        for (int i = 0; i < 3; i++) {
            Pair pair = new Pair();
            pair.left = i;
            pair.right = i;
            if (i == 2) {
                QUEUE.add(pair);
            }
        }
        hear();
    }

    // finding: violating.FilledObject.passesOlder() interference
    void passesOlder() {
        Pair older = null;
        for (int i = 0; i < 3; i++) {
            Pair pair = new Pair();
            pair.left = i;
            pair.right = i;
            if (i == 1) {
                older = pair;
            }
        }
        QUEUE.add(older);
        hear();
    }

    // finding: violating.FilledObject.passesOneOfTwo() interference
    void passesOneOfTwo() {
        Pair one = new Pair();
        one.left = 1;
        one.right = 1;
        Pair other = new Pair();
        other.left = 2;
        other.right = 2;
        QUEUE.add(step > 0 ? other : one);
        hear();
    }

    // finding: violating.FilledObject.passesInHandler() interference
    void passesInHandler() {
        Pair pair = new Pair();
        pair.left = 1;
        pair.right = 2;
        try {
            Integer.parseInt("none");
        } catch (NumberFormatException e) {
            QUEUE.add(pair);
        }
        hear();
    }

    private static void fails(int left) {
        Thrown thrown = new Thrown();
        thrown.left = left;
        throw thrown;
    }

    // finding: violating.FilledObject.passesWhatWasThrown() interference
    void passesWhatWasThrown() {
        try {
            fails(1);
        } catch (Thrown e) {
            QUEUE.add(e);
        }
        hear();
    }

    // finding: violating.FilledObject.fillsWhatHasLeftByItsConstructor() interference
    void fillsWhatHasLeftByItsConstructor() {
        Leaking pair = new Leaking();
        pair.left = 1;
        pair.right = 2;
        hear();
    }

    // finding: violating.FilledObject.fillsWhatHasLeftByTheConstructorAbove() interference
    void fillsWhatHasLeftByTheConstructorAbove() {
        BelowLeaking pair = new BelowLeaking();
        pair.left = 1;
        pair.right = 2;
        hear();
    }

    // finding: violating.FilledObject.fillsWhatHasLeftByAMethod() interference
    void fillsWhatHasLeftByAMethod() {
        LeakingByMethod pair = new LeakingByMethod();
        pair.left = 1;
        pair.right = 2;
        hear();
    }

    private static int first(Object taken) {
        if (taken instanceof Thrown) {
            return ((Thrown) taken).left;
        }
        if (taken instanceof Supplier) {
            return ((Pair) ((Supplier<?>) taken).get()).left;
        }
        return (taken instanceof Holder ? ((Holder) taken).kept : (Pair) taken).left;
    }

    public static void main(String[] args) throws InterruptedException {
        FilledObject at = new FilledObject();
        Runnable[] ways = {
            at::passes, at::passesOneWithMoreConstructors, at::passesWhatWasReturned, at::sendsItself, at::captures, at::keepsInFinalField,
            at::keepsInArray, at::passesAfterStore, at::passesOtherName, at::passesLastOfMany, at::passesOlder, at::passesOneOfTwo,
            at::passesInHandler, at::passesWhatWasThrown, at::fillsWhatHasLeftByItsConstructor, at::fillsWhatHasLeftByTheConstructorAbove,
            at::fillsWhatHasLeftByAMethod,
        };
        Steps.run(() -> {
            for (Runnable way : ways) {
                way.run();
            }
        }, () -> {
            for (int i = 0; i < ways.length; i++) {
                Steps.await(2 * i + 1);
                if (first(QUEUE.remove()) >= 0) {
                    at.answer++;
                }
                Steps.done(2 * i + 2);
            }
        });
        System.out.println("answers " + at.answer + ' ' + published.right);
    }
}
