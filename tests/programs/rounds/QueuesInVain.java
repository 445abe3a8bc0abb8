package rounds;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import schedule.Gate;

/** Methods that look like those of {@code rounds.Queues}, but do something else in their rounds, or succeed with what is stale. */
public class QueuesInVain {
    /** Where a method does not wait. */
    private static final int NONE = Integer.MIN_VALUE;

    private final AtomicReference<Node> head;
    private final AtomicReference<Node> tail;
    private final AtomicReference<Node> top = new AtomicReference<>();
    private final AtomicInteger size = new AtomicInteger();
    private volatile Object seen;
    private volatile int retries;

    static class Node {
        final Object value;
        final AtomicReference<Node> next = new AtomicReference<>();
        volatile Node below;

        Node(Object value) {
            this.value = value;
        }
    }

    private QueuesInVain() {
        Node first = new Node(null);
        head = new AtomicReference<>(first);
        tail = new AtomicReference<>(first);
    }

    /** Counts how often another thread was faster. */
    // finding: rounds.QueuesInVain.enqueuesAndCounts(java.lang.Object,int) inconsistent view
    void enqueuesAndCounts(Object value, int place) {
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
            } else {
                retries++;
            }
        }
    }

    /** Helps another thread in a round, which is a write; what it reads in the next one is newer. */
    // finding: rounds.QueuesInVain.enqueuesAndHelps(java.lang.Object,int) overwritten write
    void enqueuesAndHelps(Object value, int place) {
        Node node = new Node(value);
        for (;;) {
            Node last = tail.get();
            Node next = last.next.get();
            if (last == tail.get()) {
                if (next != null) {
                    tail.compareAndSet(last, next);
                    while (Gate.$jacocoShut == place) {
                        Thread.yield();
                    }
                } else if (last.next.compareAndSet(null, node)) {
                    tail.compareAndSet(last, node);
                    return;
                }
            }
        }
    }

    /** Keeps what it would have taken. */
    // finding: rounds.QueuesInVain.dequeuesAndKeeps(int) interference
    Object dequeuesAndKeeps(int place) {
        for (;;) {
            Node first = head.get();
            Node last = tail.get();
            Node next = first.next.get();
            if (first == head.get()) {
                if (first != last) {
                    seen = next.value;
                    while (Gate.$jacocoShut == place) {
                        Thread.yield();
                    }
                    if (head.compareAndSet(first, next)) {
                        return seen;
                    }
                } else if (next == null) {
                    return null;
                } else {
                    tail.compareAndSet(last, next);
                }
            }
        }
    }

    /** There was nothing behind the head, but there was something behind the tail. */
    // finding: rounds.QueuesInVain.dequeuesNone(int) inconsistent view
    Object dequeuesNone(int place) {
        for (;;) {
            Node first = head.get();
            Node next = first.next.get();
            while (Gate.$jacocoShut == place) {
                Thread.yield();
            }
            Node last = tail.get();
            if (next == null) {
                return first == last ? null : last.value;
            }
            if (head.compareAndSet(first, next)) {
                return next.value;
            }
        }
    }

    /** The node on top is the same again, but what was below it is gone. */
    // finding: rounds.QueuesInVain.popsOneUsedAgain(int) inconsistent view
    Node popsOneUsedAgain(int place) {
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
        return now;
    }

    /** Another counter is moved in each round. */
    // finding: rounds.QueuesInVain.popsAndCounts(int) torn update
    Node popsAndCounts(int place) {
        for (;;) {
            Node now = top.get();
            if (now == null) {
                return null;
            }
            Node below = now.below;
            size.getAndDecrement();
            while (Gate.$jacocoShut == place) {
                Thread.yield();
            }
            if (top.compareAndSet(now, below)) {
                return now;
            }
            size.getAndIncrement();
        }
    }

    private void pushes(Node node) {
        node.below = top.get();
        top.set(node);
    }

    private void usesAgain() {
        Node first = popsOneUsedAgain(NONE);
        popsOneUsedAgain(NONE);
        pushes(first);
    }

    private void popsOne() {
        popsAndCounts(NONE);
    }

    private void dequeuesOne() {
        dequeuesAndKeeps(NONE);
    }

    private void enqueuesOne() {
        enqueuesAndCounts("one", NONE);
    }

    /** Another thread that has not moved the tail yet. */
    private void links() {
        tail.get().next.set(new Node("linked"));
    }

    static final class Ring {
        private static final int MASK = 3;

        private final AtomicLong producer = new AtomicLong();
        private final AtomicLong consumer = new AtomicLong();
        private final AtomicLong limit = new AtomicLong(1);
        private final AtomicLongArray numbers = new AtomicLongArray(MASK + 1);
        private final AtomicReferenceArray<Object> slots = new AtomicReferenceArray<>(MASK + 1);

        Ring() {
            for (int i = 0; i <= MASK; i++) {
                numbers.set(i, i);
            }
        }

        /** Puts the value into the slot before it owns that. */
        // finding: rounds.QueuesInVain$Ring.offersTooEarly(java.lang.Object,int) interference
        boolean offersTooEarly(Object value, int place) {
            long p;
            long number;
            do {
                p = producer.get();
                number = numbers.get((int) p & MASK);
                if (number < p) {
                    return false;
                }
                slots.set((int) p & MASK, value);
                while (Gate.$jacocoShut == place) {
                    Thread.yield();
                }
            } while (number > p || !producer.compareAndSet(p, p + 1));
            numbers.set((int) p & MASK, p + 1);
            return true;
        }

        /** Moves the limit for all, which another thread may have moved farther. */
        // finding: rounds.QueuesInVain$Ring.offersBelow(java.lang.Object,int) inconsistent view
        // finding: rounds.QueuesInVain$Ring.offersBelow(java.lang.Object,int) lost update by get and set
        boolean offersBelow(Object value, int place) {
            long most = limit.get();
            long p;
            do {
                p = producer.get();
                if (p >= most) {
                    most = consumer.get() + MASK + 1;
                    while (Gate.$jacocoShut == place) {
                        Thread.yield();
                    }
                    if (p >= most) {
                        return false;
                    }
                    limit.set(most);
                }
            } while (!producer.compareAndSet(p, p + 1));
            slots.set((int) p & MASK, value);
            numbers.set((int) p & MASK, p + 1);
            return true;
        }

        /** Counts what was never there at once. */
        // finding: rounds.QueuesInVain$Ring.sizeOrPoll(int) inconsistent view
        long sizeOrPoll(int place) {
            for (;;) {
                long c = consumer.get();
                while (Gate.$jacocoShut == place) {
                    Thread.yield();
                }
                long p = producer.get();
                if (p - c <= MASK + 1) {
                    return p - c;
                }
                if (consumer.compareAndSet(c, c + 1)) {
                    return -1;
                }
            }
        }

        private void offersOne() {
            offersTooEarly("one", NONE);
        }

        private void offersOneBelow() {
            offersBelow("one", NONE);
        }

        private void turns() {
            consumer.set(1);
            producer.set(4);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        QueuesInVain q = new QueuesInVain();
        Gate.during(() -> q.enqueuesAndCounts("first", 1), q::enqueuesOne);
        Gate.during(() -> q.dequeuesAndKeeps(1), q::dequeuesOne);
        Gate.during(() -> q.dequeuesNone(1), q::enqueuesOne);
        q.links();
        Gate.during(() -> q.enqueuesAndHelps("second", 1), q::enqueuesOne);
        for (int i = 0; i < 4; i++) {
            q.pushes(new Node(i));
        }
        Gate.during(() -> q.popsOneUsedAgain(1), q::usesAgain);
        q.pushes(new Node(4));
        q.pushes(new Node(5));
        Gate.during(() -> q.popsAndCounts(1), q::popsOne);
        Ring ring = new Ring();
        Gate.during(() -> ring.offersTooEarly("first", 1), ring::offersOne);
        Gate.during(() -> ring.offersBelow("second", 1), ring::offersOneBelow);
        Gate.during(() -> ring.sizeOrPoll(1), ring::turns);
        System.out.println(q.seen + " " + q.retries + " " + q.size + " " + q.dequeuesAndKeeps(NONE) + " " + ring.producer + " " + ring.consumer);
    }
}
