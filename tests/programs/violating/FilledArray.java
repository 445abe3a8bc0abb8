package violating;

import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import schedule.Steps;

/**
 * A method allocates an array, fills it, and lets it escape where there is no hook. Another thread reads an element,
 * and then the method reads what that thread wrote. Only the elements, which were written before the array escaped,
 * show the order.
 */
public class FilledArray {
    private static final Queue<Object> QUEUE = new ConcurrentLinkedQueue<>();
    private static final Object[] TARGET = new Object[1];
    private static Object[] published;
    private int answer;
    private int step;

    /** Kept where there is no hook. */
    private static final class Holder {
        private final Object[] kept;

        Holder(int first) {
            kept = new Object[] {first, 2};
        }
    }

    private void hear() {
        Steps.done(++step);
        Steps.await(++step);
        if (answer == 0) {
            throw new IllegalStateException("no answer");
        }
    }

    // finding: violating.FilledArray.passes() interference
    void passes() {
        QUEUE.add(new Object[] {1, 2, 3});
        hear();
    }

    private static Object[] filled(int first) {
        return new Object[] {first, 2};
    }

    // finding: violating.FilledArray.passesWhatWasReturned() interference
    void passesWhatWasReturned() {
        QUEUE.add(filled(1));
        hear();
    }

    /** Another class, whose method passes on its argument. */
    private static final class Other {
        static void send(int priority, Object... array) {
            if (priority > 0) {
                QUEUE.add(array);
            }
        }
    }

    // finding: violating.FilledArray.passesToOtherClass() interference
    void passesToOtherClass() {
        Other.send(1, 1, 2);
        hear();
    }

    // finding: violating.FilledArray.captures() interference
    void captures() {
        Object[] array = {1, 2};
        Supplier<Object[]> supplier = () -> array;
        QUEUE.add(supplier);
        hear();
    }

    // finding: violating.FilledArray.keepsInFinalField() interference
    void keepsInFinalField() {
        QUEUE.add(new Holder(1));
        hear();
    }

    // finding: violating.FilledArray.copies() interference
    void copies() {
        Object[][] arrays = {{1, 2}};
        System.arraycopy(arrays, 0, TARGET, 0, 1);
        QUEUE.add(Arrays.asList(TARGET).get(0));
        hear();
    }

    // finding: violating.FilledArray.passesAfterStore() interference
    void passesAfterStore() {
        Object[] array = {1, 2};
        published = array;
        QUEUE.add(array);
        hear();
    }

    // finding: violating.FilledArray.passesOtherName() interference
    void passesOtherName() {
        Object[] array = {1, 2};
        Object[] other = array;
        array = null;
        QUEUE.add(other);
        hear();
    }

    // finding: violating.FilledArray.passesLastOfMany() interference
    void passesLastOfMany() {
        for (int i = 0; i < 3; i++) {
            Object[] array = {i, 2};
            if (i == 2) {
                QUEUE.add(array);
            }
        }
        hear();
    }

    // finding: violating.FilledArray.passesOlder() interference
    void passesOlder() {
        Object[] older = null;
        for (int i = 0; i < 3; i++) {
            Object[] array = {i, 2};
            if (i == 1) {
                older = array;
            }
        }
        QUEUE.add(older);
        hear();
    }

    private static void fill(Object[] array) {
        Arrays.setAll(array, i -> 0);
        for (int i = 0; i < array.length; i++) {
            array[i] = i;
        }
    }

    private static void put(Object[] array) {
        for (int i = 0; i < array.length; i++) {
            array[i] = i;
        }
    }

    // finding: violating.FilledArray.passesWhatOtherFilled() interference
    void passesWhatOtherFilled() {
        Object[] array = new Object[2];
        put(array);
        QUEUE.add(array);
        hear();
    }

    // finding: violating.FilledArray.passesWhatLeftBefore() interference
    void passesWhatLeftBefore() {
        Object[] array = new Object[2];
        fill(array);
        QUEUE.add(array);
        hear();
    }

    // finding: violating.FilledArray.passesOneOfTwo() interference
    void passesOneOfTwo() {
        Object[] one = {1, 2};
        Object[] other = {3, 4};
        QUEUE.add(step > 0 ? other : one);
        hear();
    }

    // finding: violating.FilledArray.passesInHandler() interference
    void passesInHandler() {
        Object[] array = {1, 2};
        try {
            Integer.parseInt("none");
        } catch (NumberFormatException e) {
            QUEUE.add(array);
        }
        hear();
    }

    // finding: violating.FilledArray.passesLong() interference
    void passesLong() {
        Object[] array = new Object[100];
        array[0] = 1;
        QUEUE.add(array);
        hear();
    }

    private static void store(Object[] array, Runnable then) {
        array[0] = 1;
        then.run();
    }

    // finding: violating.FilledArray.storesElsewhereDuringLoan() interference
    void storesElsewhereDuringLoan() {
        Object[] elsewhere = new Object[2];
        QUEUE.add(elsewhere);
        store(new Object[2], () -> store(elsewhere, () -> { }));
        hear();
    }

    // finding: violating.FilledArray.storesElsewhereByReflection() interference
    void storesElsewhereByReflection() {
        Object[] elsewhere = new Object[2];
        QUEUE.add(elsewhere);
        Runnable nothing = () -> { };
        store(new Object[2], () -> {
            try {
                FilledArray.class.getDeclaredMethod("store", Object[].class, Runnable.class).invoke(null, elsewhere, nothing);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        });
        hear();
    }

    private static void putOn(Object[] array, int n) {
        if (n == 0) {
            put(array);
        } else {
            putOn(array, n - 1);
        }
    }

    // finding: violating.FilledArray.passesWhatWasPassedOn() interference
    void passesWhatWasPassedOn() {
        Object[] array = new Object[2];
        putOn(array, 3);
        QUEUE.add(array);
        hear();
    }

    private static void move(Object[] from, Object[] to) {
        for (int i = 0; i < from.length; i++) {
            to[i] = from[i];
        }
    }

    // finding: violating.FilledArray.movesFromLent() interference
    void movesFromLent() {
        Object[] to = new Object[2];
        QUEUE.add(to);
        move(new Object[] {1, 2}, to);
        hear();
    }

    // finding: violating.FilledArray.passesWhatWasMoved() interference
    void passesWhatWasMoved() {
        Object[] to = new Object[2];
        move(new Object[] {1, 2}, to);
        QUEUE.add(to);
        hear();
    }

    private static Object first(Object taken) {
        if (taken instanceof Supplier) {
            return ((Object[]) ((Supplier<?>) taken).get())[0];
        }
        return (taken instanceof Holder ? ((Holder) taken).kept : (Object[]) taken)[0];
    }

    public static void main(String[] args) throws InterruptedException {
        FilledArray at = new FilledArray();
        Runnable[] ways = {
            at::passes, at::passesWhatWasReturned, at::passesToOtherClass, at::captures, at::keepsInFinalField, at::copies, at::passesAfterStore,
            at::passesOtherName, at::passesLastOfMany, at::passesOlder, at::passesWhatOtherFilled, at::passesWhatLeftBefore, at::passesOneOfTwo,
            at::passesInHandler, at::passesLong, at::storesElsewhereDuringLoan, at::storesElsewhereByReflection, at::passesWhatWasPassedOn,
            at::movesFromLent, at::passesWhatWasMoved,
        };
        Steps.run(() -> {
            for (Runnable way : ways) {
                way.run();
            }
        }, () -> {
            for (int i = 0; i < ways.length; i++) {
                Steps.await(2 * i + 1);
                if (first(QUEUE.remove()) != null) {
                    at.answer++;
                }
                Steps.done(2 * i + 2);
            }
        });
        System.out.println("answers " + at.answer + ' ' + published.length);
    }
}
