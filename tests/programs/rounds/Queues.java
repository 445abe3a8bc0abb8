package rounds;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import schedule.Gate;

/**
 * Queues without locks: a linked one, one in an array with a number for each slot, and a stack. While a method is in a round, another thread does the same as it, so that it has to go
 * round again. {@code rounds.QueuesInVain} has methods that look like these.
 */
public class Queues {
    private static final Object ONE = "one";
    /** Where a method does not wait. */
    private static final int NONE = Integer.MIN_VALUE;

    private final AtomicReference<Node> head;
    private final AtomicReference<Node> tail;
    private final AtomicReference<Node> top = new AtomicReference<>();

    static class Node {
        final Object value;
        final AtomicReference<Node> next = new AtomicReference<>();
        volatile Node below;

        Node(Object value) {
            this.value = value;
        }
    }

    private Queues() {
        Node first = new Node(null);
        head = new AtomicReference<>(first);
        tail = new AtomicReference<>(first);
    }

    /** The other thread has linked a node. */
    // without rounds: rounds.Queues.enqueues(java.lang.Object,int)
    void enqueues(Object value, int place) {
        Node node = new Node(value);
        for (;;) {
            Node last = tail.get();
            Node next = last.next.get();
            while (Gate.$jacocoShut == place) {
                Thread.yield();
            }
            if (last == tail.get()) {
                if (next != null) {
                    tail.compareAndSet(last, next);
                } else if (last.next.compareAndSet(null, node)) {
                    tail.compareAndSet(last, node);
                    return;
                }
            }
        }
    }

    /** The same, after the method has looked whether the tail has moved. */
    // without rounds: rounds.Queues.enqueuesTooLate(java.lang.Object,int)
    void enqueuesTooLate(Object value, int place) {
        Node node = new Node(value);
        for (;;) {
            Node last = tail.get();
            Node next = last.next.get();
            if (last == tail.get()) {
                while (Gate.$jacocoShut == place) {
                    Thread.yield();
                }
                if (next != null) {
                    tail.compareAndSet(last, next);
                } else if (last.next.compareAndSet(null, node)) {
                    tail.compareAndSet(last, node);
                    return;
                }
            }
        }
    }

    // without rounds: rounds.Queues.dequeues(int)
    Object dequeues(int place) {
        for (;;) {
            Node first = head.get();
            Node last = tail.get();
            Node next = first.next.get();
            while (Gate.$jacocoShut == place) {
                Thread.yield();
            }
            if (first == head.get()) {
                if (first != last) {
                    Object value = next.value;
                    while (Gate.$jacocoShut == place + 1) {
                        Thread.yield();
                    }
                    if (head.compareAndSet(first, next)) {
                        return value;
                    }
                } else if (next == null) {
                    return null;
                } else {
                    tail.compareAndSet(last, next);
                }
            }
        }
    }

    /** A stack: a copy reads its top, which the {@code compareAndSet} expects; what is below that is read in the round. */
    // without rounds: rounds.Queues.pops(int)
    Object pops(int place) {
        Node now;
        Node below;
        do {
            now = top.get();
            if (now == null) {
                return null;
            }
            below = now.below;
            while (Gate.$jacocoShut == place) {
                Thread.yield();
            }
        } while (!top.compareAndSet(now, below));
        return now.value;
    }

    private void pushes(Object value) {
        Node node = new Node(value);
        node.below = top.get();
        top.set(node);
    }

    private void enqueuesOne() {
        enqueues(ONE, NONE);
    }

    private void dequeuesOne() {
        dequeues(NONE);
    }

    /** Replaces the top, below which nothing is left. */
    private void replaces() {
        Node old = top.get();
        Node node = new Node("new");
        node.below = old.below;
        old.below = null;
        top.set(node);
    }

    private void enqueuesTwo() {
        enqueues("one of two", NONE);
        enqueues("two of two", NONE);
    }

    /** What a ring of slots has above it. */
    abstract static class Indices {
        private final AtomicLong producer = new AtomicLong();
        private final AtomicLong consumer = new AtomicLong();

        final long producer() {
            return producer.get();
        }

        final long consumer() {
            return consumer.get();
        }

        final boolean casProducer(long expected, long next) {
            return producer.compareAndSet(expected, next);
        }

        final boolean casConsumer(long expected, long next) {
            return consumer.compareAndSet(expected, next);
        }
    }

    static final class Ring extends Indices {
        private static final int MASK = 3;

        /** Where slots are, so that neighbours are apart. A copy of a round ends where an element of it is read. */
        private final int[] spread = {0, 2, 1, 3};
        private final AtomicLongArray numbers = new AtomicLongArray(MASK + 1);
        private final AtomicReferenceArray<Object> slots = new AtomicReferenceArray<>(MASK + 1);

        Ring() {
            for (int i = 0; i <= MASK; i++) {
                numbers.set(spread[i], i);
            }
        }

        // without rounds: rounds.Queues$Ring.offers(java.lang.Object,int)
        boolean offers(Object value, int place) {
            long p;
            long number;
            do {
                p = producer();
                number = numbers.get(spread[(int) p & MASK]);
                while (Gate.$jacocoShut == place) {
                    Thread.yield();
                }
                if (number < p) {
                    return false;
                }
            } while (number > p || !casProducer(p, p + 1));
            slots.lazySet(spread[(int) p & MASK], value);
            numbers.set(spread[(int) p & MASK], p + 1);
            return true;
        }

        /** Makes a difference of the two, and asks the other index whether it is full. */
        // without rounds: rounds.Queues$Ring.polls(int)
        Object polls(int place) {
            int slot;
            long c;
            for (;;) {
                c = consumer();
                slot = spread[(int) c & MASK];
                long difference = numbers.get(slot) - (c + 1);
                while (Gate.$jacocoShut == place) {
                    Thread.yield();
                }
                if (difference < 0) {
                    if (c >= producer()) {
                        return null;
                    }
                } else if (difference == 0 && casConsumer(c, c + 1)) {
                    break;
                }
            }
            Object value = slots.get(slot);
            slots.lazySet(slot, null);
            numbers.set(slot, c + MASK + 1);
            return value;
        }

        private void offersOne() {
            offers(ONE, NONE);
        }

        private void pollsOne() {
            polls(NONE);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Queues q = new Queues();
        Gate.during(() -> q.enqueues("first", 1), q::enqueuesOne);
        Gate.during(() -> q.enqueuesTooLate("second", 1), q::enqueuesTwo);
        Gate.during(() -> q.dequeues(1), q::dequeuesOne, q::dequeuesOne);
        for (int i = 0; i < 3; i++) {
            q.pushes(i);
        }
        Gate.during(() -> q.pops(1), q::replaces);
        Ring ring = new Ring();
        Gate.during(() -> ring.offers("first", 1), ring::offersOne);
        ring.offers("third", NONE);
        Gate.during(() -> ring.polls(1), ring::pollsOne);
        System.out.println(q.dequeues(NONE) + " " + q.pops(NONE) + " " + ring.polls(NONE) + " " + ring.polls(NONE));
    }
}
