package called;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;

import schedule.Sequences;

/**
 * Calls of queues, plain ones and those that are made for threads.
 */
final class Queues {
    private Queues() {
    }

    private static Queue<Object> filled(Queue<Object> queue, int size) {
        for (int number = 0; number < size; number++) {
            queue.add(Sequences.element(number));
        }
        return queue;
    }

    static Object made(String kind, int size) {
        switch (kind) {
            case "ArrayDeque":
                return filled(new ArrayDeque<>(), size);
            case "PriorityQueue":
                return filled(new PriorityQueue<>(), size);
            case "LinkedListQueue":
                return filled(new LinkedList<>(), size);
            case "ConcurrentLinkedQueue":
                return filled(new ConcurrentLinkedQueue<>(), size);
            case "ConcurrentLinkedDeque":
                return filled(new ConcurrentLinkedDeque<>(), size);
            case "ArrayBlockingQueue":
                return filled(new ArrayBlockingQueue<>(2), size);
            case "LinkedBlockingQueue":
                return filled(new LinkedBlockingQueue<>(), size);
            case "LinkedBlockingDeque":
                return filled(new LinkedBlockingDeque<>(), size);
            case "LinkedTransferQueue":
                return filled(new LinkedTransferQueue<>(), size);
            case "PriorityBlockingQueue":
                return filled(new PriorityBlockingQueue<>(), size);
            default:
                return null;
        }
    }

    static Object call(Queue<Object> on, String method, int element, int thread, int number) {
        Object what = Sequences.element(element);
        switch (method) {
            case "offer":
                return on.offer(what);
            case "add":
                return on.add(what);
            case "poll":
                return on.poll();
            case "remove":
                return on.remove();
            case "peek":
                return on.peek();
            case "element":
                return on.element();
            case "size":
                return on.size();
            case "isEmpty":
                return on.isEmpty();
            case "contains":
                return on.contains(what);
            case "removeOf":
                return on.remove(what);
            default:
                return whole(on, method, what, thread, number);
        }
    }

    private static Object whole(Queue<Object> on, String method, Object what, int thread, int number) {
        switch (method) {
            case "clear":
                on.clear();
                return "x";
            case "toArray":
                return on.toArray();
            case "forEach":
                on.forEach(each -> { });
                return "x";
            case "removeIf":
                return on.removeIf(each -> each == what);
            case "drainTo":
                return drained(on);
            case "count":
                return on.stream().filter(each -> each != what).count();
            case "iterator":
                return Sequences.keep(thread, number, on.iterator());
            default:
                return Collected.step(method, thread, number);
        }
    }

    /** The elements that it took, or that there is no such call. */
    private static Object drained(Queue<Object> on) {
        if (!(on instanceof BlockingQueue)) {
            return "skipped";
        }
        List<Object> taken = new ArrayList<>();
        int count = ((BlockingQueue<Object>) on).drainTo(taken, 1);
        return count == 0 ? "null" : taken.get(0);
    }

    static Object deque(Deque<Object> on, String method, int element) {
        Object what = Sequences.element(element);
        switch (method) {
            case "offerFirst":
                return on.offerFirst(what);
            case "addLast":
                on.addLast(what);
                return "x";
            case "push":
                on.push(what);
                return "x";
            case "pollFirst":
                return on.pollFirst();
            case "pollLast":
                return on.pollLast();
            case "pop":
                return on.pop();
            case "peekFirst":
                return on.peekFirst();
            case "peekLast":
                return on.peekLast();
            default:
                return on.removeFirstOccurrence(what);
        }
    }
}
