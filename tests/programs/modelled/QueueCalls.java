package modelled;

import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Calls of queues that are made for threads, which look at the queue or change it.
 */
public class QueueCalls extends Calls {
    private static final List<Integer> SOME = List.of(1, 2, 3, 4);

    /** All of them. */
    public QueueCalls() {
        everyClass(ConcurrentLinkedQueue::new);
        everyClass(ConcurrentLinkedDeque::new);
        everyClass(LinkedBlockingQueue::new);
        everyClass(LinkedBlockingDeque::new);
        everyClass(LinkedTransferQueue::new);
        everyClass(PriorityBlockingQueue::new);
        everyClass(() -> new ArrayBlockingQueue<>(9));
        looks();
        spliterators(ConcurrentLinkedQueue::new);
        spliterators(ConcurrentLinkedDeque::new);
        spliterators(LinkedBlockingQueue::new);
        spliterators(LinkedBlockingDeque::new);
        spliterators(LinkedTransferQueue::new);
        blocking();
        deques(ConcurrentLinkedDeque::new);
        deques(LinkedBlockingDeque::new);
        delays();
    }

    private static <Q extends Queue<Integer>> Q filled(Q queue) {
        for (Integer number : SOME) {
            queue.add(number);
        }
        return queue;
    }

    private static Object all(Iterator<?> iterator) {
        Object last = null;
        while (iterator.hasNext()) {
            last = iterator.next();
        }
        return last;
    }

    private void everyClass(Supplier<Queue<Integer>> make) {
        reads(() -> filled(make.get()), (q, t) -> q.poll(), (q, t) -> q.isEmpty(), (q, t) -> q.peek(), (q, t) -> q.element(), (q, t) -> all(q.iterator()),
            (q, t) -> q.stream().skip(1).count());
        reads(() -> filled(make.get()), (q, t) -> q.add(9), (q, t) -> q.size(), (q, t) -> q.contains(3));
        reads(make, (q, t) -> q.add(9), (q, t) -> t == 0 ? q.isEmpty() : q.size(), (q, t) -> t == 0 ? q.peek() : (Object) q.size(),
            (q, t) -> t == 0 ? q.poll() : (Object) q.size(), (q, t) -> t == 0 ? q.remove(7) : q.size());
        writes(() -> filled(make.get()), (q, t) -> q.size(), (q, t) -> q.add(5), (q, t) -> q.offer(5), (q, t) -> q.poll(), (q, t) -> q.remove(),
            (q, t) -> q.remove(t + 1));
        writes(() -> filled(make.get()), (q, t) -> q.peek(), (q, t) -> q.poll());
    }

    private void looks() {
        reads(() -> filled(new LinkedBlockingQueue<>(5)), (q, t) -> q.offer(9), (q, t) -> t == 0 ? q.remainingCapacity() : q.offer(8), (q, t) -> q.containsAll(SOME),
            (q, t) -> q.toArray(), (q, t) -> {
                q.forEach(v -> { });
                return null;
            }, (q, t) -> {
                q.iterator().forEachRemaining(v -> { });
                return null;
            }, (q, t) -> q.toString(), (q, t) -> t == 0 ? q.removeIf(v -> v > 9) : q.size());
        reads(() -> filled(new LinkedBlockingQueue<>(4)), (q, t) -> q.poll(), (q, t) -> t == 0 ? q.offer(8) : q.size());
        writes(() -> filled(new ConcurrentLinkedQueue<>()), (q, t) -> q.size(), (q, t) -> q.addAll(SOME), (q, t) -> q.removeAll(List.of(t + 1)),
            (q, t) -> q.retainAll(t == 0 ? List.of(1, 2) : List.of(1)), (q, t) -> q.removeIf(v -> v == t + 1), (q, t) -> {
                q.clear();
                return null;
            }, (q, t) -> {
                Iterator<Integer> all = q.iterator();
                all.next();
                all.remove();
                return null;
            });
    }

    private void spliterators(Supplier<Queue<Integer>> make) {
        reads(() -> filled(make.get()), (q, t) -> q.poll(), (q, t) -> q.spliterator().tryAdvance(v -> { }), (q, t) -> {
            q.spliterator().forEachRemaining(v -> { });
            return null;
        });
        reads(make, (q, t) -> q.add(9), (q, t) -> t == 0 ? q.spliterator().tryAdvance(v -> { }) : q.size());
    }

    private void blocking() {
        this.<BlockingQueue<Integer>>reads(LinkedBlockingQueue::new, (q, t) -> q.add(9), (q, t) -> t == 0 ? q.drainTo(new ArrayList<>()) : q.size());
        this.<BlockingQueue<Integer>>writes(() -> filled(new ArrayBlockingQueue<>(9)), (q, t) -> q.size(), (q, t) -> q.drainTo(new ArrayList<>(), 2));
        this.<BlockingQueue<Integer>>writes(() -> filled(new LinkedBlockingQueue<>()), (q, t) -> q.size(), (q, t) -> q.drainTo(new ArrayList<>(), 2));
    }

    private void deques(Supplier<Deque<Integer>> make) {
        reads(() -> filled(make.get()), (d, t) -> d.pollFirst(), (d, t) -> d.peekFirst(), (d, t) -> d.peekLast(), (d, t) -> d.getFirst(), (d, t) -> d.getLast(),
            (d, t) -> all(d.descendingIterator()));
        writes(() -> filled(make.get()), (d, t) -> d.size(), (d, t) -> d.offerFirst(5), (d, t) -> d.offerLast(5), (d, t) -> d.pollFirst(), (d, t) -> d.pollLast(),
            (d, t) -> d.pop(), (d, t) -> d.removeFirst(), (d, t) -> d.removeLast(), (d, t) -> d.removeFirstOccurrence(t + 1),
            (d, t) -> d.removeLastOccurrence(t + 1), (d, t) -> {
                d.push(5);
                return null;
            }, (d, t) -> {
                d.addFirst(5);
                return null;
            }, (d, t) -> {
                d.addLast(5);
                return null;
            });
    }

    private void delays() {
        reads(() -> new DelayQueue<>(List.of(new Now(), new Now(), new Now(), new Now())), (q, t) -> q.poll(), (q, t) -> q.isEmpty(), (q, t) -> q.peek(), (q, t) -> q.iterator().next());
        writes(() -> new DelayQueue<>(List.of(new Now(), new Now(), new Now(), new Now())), (q, t) -> q.size(), (q, t) -> q.poll(), (q, t) -> q.add(new Now()));
    }

    /** Its delay is over. */
    private static final class Now implements Delayed {
        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }
}
