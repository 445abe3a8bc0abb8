package violating;

import java.util.List;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import schedule.Turns;

/**
 * Every call that gives an element to a blocking deque, takes one from it or looks at one, with another thread that looks at what the method has written before it gives
 * an element, or takes the method's element before it writes what the method reads.
 */
public class BlockingDequesThereAndBack {
    /** A call. */
    interface Call {
        Object on(BlockingDeque<Object> deque, Object element) throws InterruptedException;
    }

    private final Turns turns = new Turns();
    private int value;

    // finding: violating.BlockingDequesThereAndBack.takes(java.util.concurrent.BlockingDeque,violating.BlockingDequesThereAndBack$Call) interference
    // violated: violating.BlockingDequesThereAndBack.takes(java.util.concurrent.BlockingDeque,violating.BlockingDequesThereAndBack$Call) 11
    Object takes(BlockingDeque<Object> deque, Call call) throws InterruptedException {
        value++;
        turns.give(() -> look(deque));
        return call.on(deque, this);
    }

    // waits inside: violating.BlockingDequesThereAndBack.awaits(java.util.concurrent.BlockingDeque,violating.BlockingDequesThereAndBack$Call)
    // violated: violating.BlockingDequesThereAndBack.awaits(java.util.concurrent.BlockingDeque,violating.BlockingDequesThereAndBack$Call) 6
    Object awaits(BlockingDeque<Object> deque, Call call) throws InterruptedException {
        value++;
        turns.give(() -> look(deque));
        return call.on(deque, this);
    }

    // finding: violating.BlockingDequesThereAndBack.gives(java.util.concurrent.BlockingDeque,violating.BlockingDequesThereAndBack$Call) interference
    // violated: violating.BlockingDequesThereAndBack.gives(java.util.concurrent.BlockingDeque,violating.BlockingDequesThereAndBack$Call) 4
    int gives(BlockingDeque<Object> deque, Call call) throws InterruptedException {
        call.on(deque, new Object());
        turns.give(() -> change(deque));
        return value;
    }

    // waits inside: violating.BlockingDequesThereAndBack.puts(java.util.concurrent.BlockingDeque,violating.BlockingDequesThereAndBack$Call)
    // violated: violating.BlockingDequesThereAndBack.puts(java.util.concurrent.BlockingDeque,violating.BlockingDequesThereAndBack$Call) 6
    int puts(BlockingDeque<Object> deque, Call call) throws InterruptedException {
        call.on(deque, new Object());
        turns.give(() -> change(deque));
        return value;
    }

    // finding: violating.BlockingDequesThereAndBack.transfers(java.util.concurrent.LinkedTransferQueue) interference
    boolean transfers(LinkedTransferQueue<Object> queue) {
        value++;
        turns.give(() -> offer(queue));
        return queue.peek() != null;
    }

    private void look(BlockingDeque<Object> deque) {
        deque.add(value > 0 ? this : deque);
    }

    private void change(BlockingDeque<Object> deque) {
        value = deque.poll() == null ? 0 : 1;
    }

    private void offer(LinkedTransferQueue<Object> queue) {
        try {
            // Nobody waits for it, so these give nothing, and the third does.
            System.out.println(queue.tryTransfer(this) + " " + queue.tryTransfer(this, value, TimeUnit.NANOSECONDS));
            queue.add(value > 0 ? this : queue);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        BlockingDequesThereAndBack p = new BlockingDequesThereAndBack();
        p.turns.run(() -> {
            try {
                for (Call call : List.<Call>of((d, e) -> d.pollFirst(), (d, e) -> d.pollLast(), (d, e) -> d.pop(), (d, e) -> d.removeFirst(), (d, e) -> d.removeLast(),
                    (d, e) -> d.peekFirst(), (d, e) -> d.getLast(), (d, e) -> d.removeFirstOccurrence(e), (d, e) -> d.removeLastOccurrence(e), (d, e) -> d.remove(e),
                    (d, e) -> d.remove())) {
                    p.takes(new LinkedBlockingDeque<>(), call);
                }
                for (Call call : List.<Call>of((d, e) -> d.takeFirst(), (d, e) -> d.takeLast(), (d, e) -> d.pollFirst(1, TimeUnit.HOURS),
                    (d, e) -> d.pollLast(1, TimeUnit.HOURS), (d, e) -> d.poll(1, TimeUnit.HOURS), (d, e) -> d.take())) {
                    p.awaits(new LinkedBlockingDeque<>(), call);
                }
                for (Call call : List.<Call>of((d, e) -> d.offerFirst(e), (d, e) -> d.offerLast(e), (d, e) -> {
                    d.addFirst(e);
                    return null;
                }, (d, e) -> {
                    d.push(e);
                    return null;
                })) {
                    p.gives(new LinkedBlockingDeque<>(), call);
                }
                for (Call call : List.<Call>of((d, e) -> d.offerFirst(e, 1, TimeUnit.HOURS), (d, e) -> d.offerLast(e, 1, TimeUnit.HOURS),
                    (d, e) -> d.offer(e, 1, TimeUnit.HOURS), (d, e) -> {
                        d.putFirst(e);
                        return null;
                    }, (d, e) -> {
                        d.putLast(e);
                        return null;
                    }, (d, e) -> {
                        d.put(e);
                        return null;
                    })) {
                    p.puts(new LinkedBlockingDeque<>(), call);
                }
                p.transfers(new LinkedTransferQueue<>());

            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
