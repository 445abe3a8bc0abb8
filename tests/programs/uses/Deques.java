package uses;

import static schedule.Threads.second;
import static schedule.Threads.third;

import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.LinkedBlockingDeque;

/**
 * Queues with two ends.
 */
class Deques {
    private final Deque<Object> deque = new ConcurrentLinkedDeque<>();
    private final BlockingDeque<Object> bounded = new LinkedBlockingDeque<>(2);
    private final Object one = new Object();
    private final Object two = new Object();
    private final Object three = new Object();

    boolean putsAtBothEndsAroundPutIsAtomic() {
        deque.addFirst(one);
        second(() -> deque.addLast(two));
        return deque.offerLast(three);
    }

    boolean putsAtBothEndsAroundContainsIsViolated() {
        deque.addFirst(one);
        second(() -> deque.contains(two));
        return deque.offerLast(three);
    }

    boolean pollsAtBothEndsAroundPollIsAtomic() {
        second(() -> {
            deque.push(one);
            deque.push(two);
            deque.push(three);
        });
        Object first = deque.pollFirst();
        third(() -> deque.pop());
        return first == deque.pollLast();
    }

    boolean lastThenPollAroundRemoveIsViolated() {
        second(() -> {
            deque.push(one);
            deque.push(two);
        });
        Object last = deque.peekLast();
        third(() -> deque.removeFirstOccurrence(one));
        return last == deque.pollLast();
    }

    boolean lastThenPollAroundPushIsAtomic() {
        second(() -> deque.push(one));
        Object last = deque.peekLast();
        third(() -> deque.push(two));
        return last == deque.pollLast();
    }

    boolean backwardsAroundPushIsAtomic() {
        second(() -> {
            deque.push(one);
            deque.push(two);
        });
        Iterator<Object> backwards = deque.descendingIterator();
        Object last = backwards.next();
        third(() -> deque.push(three));
        return last == backwards.next();
    }

    boolean backwardsAroundRemoveIsViolated() {
        second(() -> {
            bounded.push(one);
            bounded.push(two);
        });
        Iterator<Object> backwards = bounded.descendingIterator();
        Object last = backwards.next();
        third(() -> bounded.remove(two));
        while (backwards.hasNext()) {
            backwards.next();
        }
        return last == one;
    }

    boolean thereAtOneEndAndBackAtTheOtherIsViolated() {
        bounded.addFirst(one);
        second(() -> {
            if (bounded.pollLast() == one) {
                bounded.addLast(two);
            }
        });
        return bounded.pollFirst() == two;
    }

    boolean offerToFullThenSizeAroundPollIsViolated() {
        second(() -> {
            bounded.push(one);
            bounded.push(two);
        });
        boolean done = bounded.offerFirst(three);
        third(() -> bounded.pollLast());
        return done || bounded.size() == 1;
    }

    boolean sizesAroundOfferToFullIsAtomic() {
        second(() -> {
            bounded.push(one);
            bounded.push(two);
        });
        int size = bounded.size();
        third(() -> bounded.offerLast(three));
        return size == bounded.size();
    }

    boolean clearThenPutAroundEmptyIsViolated() {
        second(() -> bounded.add(one));
        bounded.clear();
        second(() -> bounded.isEmpty());
        return bounded.remove(one) || bounded.add(two) && bounded.pollLast() == two;
    }
}
