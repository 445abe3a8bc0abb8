package atomic;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TransferQueue;
import schedule.Steps;

/**
 * Who puts elements into a queue and who takes them out, several in a method, have no order among themselves, nor has who has found an element with who
 * puts others after it. A queue that one thread looks at before and after another one has changed it has changed once.
 */
public class QueueStates {
    private final Queue<String> both = new ConcurrentLinkedQueue<>();
    private final Queue<String> full = new LinkedBlockingQueue<>();
    private final Queue<String> own = new ConcurrentLinkedQueue<>();
    private final TransferQueue<String> handed = new LinkedTransferQueue<>();
    private final BlockingQueue<String> once = new LinkedBlockingQueue<>(3);

    void putsTwo() {
        both.add("a");
        Steps.done(1);
        Steps.await(2);
        both.offer("b");
    }

    String takesTwo() {
        String first = full.poll();
        Steps.done(3);
        Steps.await(4);
        return first + full.remove();
    }

    /** Nobody else takes any. */
    List<String> takesAll() {
        List<String> all = new ArrayList<>();
        while (!own.isEmpty()) {
            all.add(own.peek().equals("a") ? own.remove() : own.poll());
            if (all.size() == 1) {
                Steps.done(5);
                Steps.await(6);
            }
        }
        return all;
    }

    /** An iteration comes after all that it has found. */
    int counts() {
        int count = 0;
        for (String element : own) {
            count += element.length();
            Steps.done(7);
            Steps.await(8);
        }
        return count;
    }

    /** That nobody waits for an element says nothing of the queue. */
    void hands() {
        if (!handed.tryTransfer("x")) {
            Steps.done(11);
            Steps.await(12);
            handed.add("x");
        }
    }

    int looks() {
        return once.size() + (once.contains("a") ? once.remainingCapacity() : 0);
    }

    private String element() {
        try {
            return own.element();
        } catch (NoSuchElementException e) {
            return "none";
        }
    }

    public static void main(String[] args) throws InterruptedException {
        QueueStates p = new QueueStates();
        for (String s : new String[] {"a", "b", "c"}) {
            p.full.add(s);
        }
        p.own.add("a");
        Steps.run(() -> {
            p.putsTwo();
            p.takesTwo();
            System.out.println(p.takesAll() + p.element());
            p.own.add("x");
            System.out.println(p.counts());
            System.out.println(p.looks());
            Steps.done(9);
            Steps.await(10);
            System.out.println(p.looks());
            p.hands();
        }, () -> {
            Steps.await(1);
            p.both.add("c");
            Steps.done(2);
            Steps.await(3);
            p.full.poll();
            Steps.done(4);
            Steps.await(5);
            p.own.add("b");
            Steps.done(6);
            Steps.await(7);
            p.own.add("y");
            Steps.done(8);
            Steps.await(9);
            p.once.add("a");
            Steps.done(10);
            Steps.await(11);
            p.handed.add("y");
            Steps.done(12);
        });
        System.out.println(p.both + " " + p.full + " " + p.own);
    }
}
