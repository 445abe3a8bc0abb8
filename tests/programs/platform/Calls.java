package platform;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Stack;
import java.util.Vector;
import schedule.Steps;

/**
 * What is watched itself is watched however it is called: what two calls have in common is the lock, and not a variable of the model.
 */
// include: java.util.Vector:java.util.Stack
public class Calls {
    /** Another class of the program. */
    private static final class Numbers extends Vector<Integer> {
        private static final long serialVersionUID = 1;
    }

    // finding: platform.Calls.byInterface(java.util.List) stale check-then-act across critical sections
    static int byInterface(List<Integer> list) {
        int size = list.size();
        Steps.done(1);
        Steps.await(2);
        return list.size() - size;
    }

    // finding: platform.Calls.bySubclass(platform.Calls$Numbers) stale check-then-act across critical sections
    static int bySubclass(Numbers numbers) {
        int size = numbers.size();
        Steps.done(3);
        Steps.await(4);
        return numbers.size() - size;
    }

    // finding: platform.Calls.byCollection(java.util.Collection) stale check-then-act across critical sections
    static int byCollection(Collection<Integer> stack) {
        int size = stack.size();
        Steps.done(5);
        Steps.await(6);
        return stack.size() - size;
    }

    // finding: platform.Calls.byName(java.util.Stack) stale check-then-act across critical sections
    static boolean byName(Stack<Integer> stack) {
        boolean isEmpty = stack.empty();
        Steps.done(7);
        Steps.await(8);
        return stack.empty() == isEmpty;
    }

    // finding: platform.Calls.unwatched(java.util.List) unrepeatable read
    static int unwatched(List<Integer> list) {
        int size = list.size();
        Steps.done(9);
        Steps.await(10);
        return list.size() - size;
    }

    public static void main(String[] args) throws InterruptedException {
        List<Integer> vector = new Vector<>();
        Numbers numbers = new Numbers();
        Stack<Integer> stack = new Stack<>();
        List<Integer> other = Collections.synchronizedList(new ArrayList<>());
        Steps.run(() -> {
            byInterface(vector);
            bySubclass(numbers);
            byCollection(stack);
            byName(stack);
            unwatched(other);
        }, () -> {
            Steps.await(1);
            vector.add(1);
            Steps.done(2);
            Steps.await(3);
            numbers.add(1);
            Steps.done(4);
            Steps.await(5);
            stack.push(1);
            Steps.done(6);
            Steps.await(7);
            stack.pop();
            Steps.done(8);
            Steps.await(9);
            other.add(1);
            Steps.done(10);
        });
        ListIterator<Integer> backwards = vector.listIterator(1);
        Iterator<Integer> forwards = vector.iterator();
        Enumeration<Integer> elements = numbers.elements();
        System.out.println(backwards.previous() + forwards.next() + elements.nextElement() + " " + stack + other);
    }
}
