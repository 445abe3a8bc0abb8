package uses;

import static schedule.Threads.newcomer;
import static schedule.Threads.second;
import static schedule.Threads.secondEnds;
import static schedule.Threads.secondWaits;
import static schedule.Threads.third;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TransferQueue;
import schedule.Threads.Step;

/**
 * Queues: what was put in and what was taken out, and elements that are handed over.
 */
class Queues {
    private final Queue<Object> queue = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<Object> blocking = new LinkedBlockingQueue<>();
    private final BlockingQueue<Object> small = new ArrayBlockingQueue<>(1);
    private final BlockingQueue<String> ordered = new PriorityBlockingQueue<>();
    private final TransferQueue<Object> transfer = new LinkedTransferQueue<>();
    private final BlockingQueue<Object> direct = new SynchronousQueue<>();
    private final DelayQueue<Due> delayed = new DelayQueue<>();
    private final List<Object> list = new ArrayList<>();
    private final Object one = new Object();
    private final Object two = new Object();
    private final Object three = new Object();

    /** An element that is due at once. */
    private static final class Due implements Delayed {
        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }

    boolean putsAroundPutIsAtomic() {
        queue.add(one);
        second(() -> queue.add(two));
        return queue.offer(three);
    }

    boolean putsAroundSizeIsViolated() {
        queue.add(one);
        second(() -> queue.size());
        return queue.offer(three);
    }

    boolean putsAroundPeekThatFindsIsAtomic() {
        queue.add(one);
        second(() -> queue.peek());
        return queue.offer(three);
    }

    boolean putsAroundPollUntilEmptyIsViolated() {
        queue.add(one);
        second(() -> {
            while (queue.poll() != null) {
                Thread.onSpinWait();
            }
        });
        return queue.offer(three);
    }

    boolean putsAroundPollOfOneIsAtomic() {
        queue.add(one);
        second(() -> queue.poll());
        return queue.offer(three);
    }

    boolean pollsAroundPollIsAtomic() {
        second(() -> queue.addAll(List.of(one, two, three)));
        Object first = queue.poll();
        second(() -> queue.poll());
        return first == queue.poll();
    }

    boolean takesAroundTakeIsAtomic() throws InterruptedException {
        second(() -> {
            blocking.put(one);
            blocking.put(two);
            blocking.put(three);
        });
        Object first = blocking.take();
        third(() -> blocking.take());
        return first == blocking.take();
    }

    boolean takesAroundTakeAfterLookIsViolated() throws InterruptedException {
        second(() -> {
            blocking.put(one);
            blocking.put(two);
        });
        boolean isEmpty = blocking.isEmpty();
        third(() -> blocking.take());
        return isEmpty || blocking.take() == one;
    }

    boolean notEmptyThenPollAroundAddIsAtomic() {
        queue.add(one);
        boolean isEmpty = queue.isEmpty();
        second(() -> queue.add(two));
        return !isEmpty && queue.poll() == one;
    }

    boolean notEmptyThenPollAroundPollIsViolated() {
        second(() -> {
            queue.add(one);
            queue.add(two);
        });
        boolean isEmpty = queue.isEmpty();
        second(() -> queue.poll());
        return !isEmpty && queue.poll() == one;
    }

    boolean emptyThenAddAroundAddIsViolated() {
        boolean isEmpty = queue.isEmpty();
        second(() -> queue.add(one));
        return isEmpty && queue.add(two);
    }

    boolean emptyThenAddAroundAddOfNewcomerIsViolated() {
        boolean isEmpty = queue.isEmpty();
        newcomer(() -> queue.add(one));
        return isEmpty && queue.add(two);
    }

    boolean addsAroundOfferOfNewcomerToFullIsViolated() {
        small.add(one);
        newcomer(() -> small.offer(two));
        return small.poll() == one && small.add(three);
    }

    boolean addsAroundAddOfNewcomerIsAtomic() {
        queue.add(one);
        newcomer(() -> queue.add(two));
        return queue.add(three);
    }

    boolean emptyThenAddAroundAddToAnotherIsAtomic() {
        boolean isEmpty = queue.isEmpty();
        second(() -> blocking.add(one));
        return isEmpty && queue.add(two);
    }

    boolean peekOfNothingThenPeekAroundAddIsViolated() {
        Object first = queue.peek();
        second(() -> queue.add(one));
        return first == queue.peek();
    }

    boolean peekTwiceAroundAddIsAtomic() {
        second(() -> queue.add(one));
        Object first = queue.peek();
        second(() -> queue.add(two));
        return first == queue.peek();
    }

    boolean peekTwiceAroundPollIsViolated() {
        second(() -> {
            queue.add(one);
            queue.add(two);
        });
        Object first = queue.peek();
        third(() -> queue.poll());
        return first == queue.peek();
    }

    boolean sizeTwiceAroundPeekIsAtomic() {
        int size = queue.size();
        second(() -> queue.peek());
        return size == queue.size();
    }

    boolean containsThenSizeAroundPollIsViolated() {
        second(() -> queue.add(one));
        boolean has = queue.contains(one);
        second(() -> queue.poll());
        return has && queue.size() == 0;
    }

    boolean addToListThenPollAroundContainsAllOfItIsViolated() {
        second(() -> {
            queue.add(one);
            queue.contains(two);
        });
        list.add(two);
        // It has nothing new to see in the queue, but comes after the list's change, which it has seen.
        second(() -> queue.containsAll(list));
        return queue.poll() == one;
    }

    void sizesAroundRemoveByIteratorOfWhatWasTakenIsAtomic() {
        new Removal(() -> queue.poll()).run();
    }

    void sizesAroundRemoveByIteratorIsViolated() {
        new Removal(() -> queue.peek()).run();
    }

    /** The second thread's iterator has come to the first element when the third thread does something, and removes it between two looks. No block of its own. */
    private final class Removal implements Runnable {
        private final Step before;
        private Iterator<Object> each;

        Removal(Step before) {
            this.before = before;
        }

        @Override
        public void run() {
            second(() -> {
                queue.add(one);
                queue.add(two);
                each = queue.iterator();
                each.next();
            });
            third(before);
            queue.size();
            second(() -> each.remove());
            queue.size();
        }
    }

    boolean thereAndBackIsViolated() {
        queue.add(one);
        second(() -> {
            if (queue.poll() == one) {
                blocking.add(two);
            }
        });
        return blocking.poll() == two;
    }

    boolean thereAndBackFromBeforeIsAtomic() {
        queue.add(one);
        second(() -> {
            blocking.add(two);
            queue.poll();
        });
        return blocking.poll() == two;
    }

    boolean thereAndBackOverThreeThreadsIsViolated() {
        queue.add(one);
        second(() -> {
            if (queue.poll() == one) {
                transfer.add(two);
            }
        });
        third(() -> {
            if (transfer.peek() == two) {
                blocking.add(three);
            }
        });
        return blocking.poll() == three;
    }

    boolean elementsOfEqualNameOfTwoThreadsIsAtomic() {
        queue.add(new String("a"));
        second(() -> queue.add("b"));
        third(() -> queue.poll());
        return queue.poll() == "b";
    }

    boolean offerToFullTwiceAroundPollIsAtomic() {
        second(() -> small.add(one));
        boolean done = small.offer(two);
        second(() -> small.poll());
        return done || small.offer(two);
    }

    boolean offerToFullTwiceAroundRemainingCapacityIsAtomic() {
        second(() -> small.add(one));
        boolean done = small.offer(two);
        second(() -> small.remainingCapacity());
        return done || small.offer(two);
    }

    int remainingCapacityTwiceAroundAddIsViolated() {
        int left = small.remainingCapacity();
        second(() -> small.add(one));
        return left - small.remainingCapacity();
    }

    boolean iterationAroundAddIsAtomic() {
        second(() -> {
            queue.add(one);
            queue.add(two);
        });
        Iterator<Object> iterator = queue.iterator();
        Object first = iterator.next();
        second(() -> queue.add(three));
        return first == iterator.next();
    }

    boolean iterationAroundPollIsViolated() {
        second(() -> {
            queue.add(one);
            queue.add(two);
        });
        Iterator<Object> iterator = queue.iterator();
        Object first = iterator.next();
        second(() -> queue.poll());
        while (iterator.hasNext()) {
            iterator.next();
        }
        return first == one;
    }

    boolean removeOfOwnAroundSizeIsViolated() {
        queue.add(one);
        second(() -> queue.size());
        return queue.remove(one);
    }

    boolean removeOfAnotherAfterItsPutIsAtomic() {
        second(() -> queue.add(one));
        return queue.remove(one);
    }

    boolean drainedThenAskedIsViolated() {
        blocking.add(one);
        second(() -> {
            List<Object> all = new ArrayList<>();
            blocking.drainTo(all);
            if (all.contains(one)) {
                queue.add(two);
            }
        });
        return queue.poll() == two;
    }

    int drainTwiceAroundAddIsAtomic() {
        List<Object> all = new ArrayList<>();
        blocking.add(one);
        int count = blocking.drainTo(all, 1);
        second(() -> blocking.add(two));
        return count;
    }

    String headTwiceAroundPollOfPriorityIsViolated() {
        second(() -> {
            ordered.add("a");
            ordered.add("b");
        });
        String first = ordered.peek();
        second(() -> ordered.poll());
        return first + ordered.peek();
    }

    String headTwiceAroundAddOfPriorityIsAtomic() {
        second(() -> ordered.add("a"));
        String first = ordered.peek();
        second(() -> ordered.add("b"));
        return first + ordered.peek();
    }

    boolean dueThereAndBackIsViolated() {
        delayed.add(new Due());
        second(() -> {
            if (delayed.poll() != null) {
                queue.add(one);
            }
        });
        return queue.poll() == one;
    }

    boolean duePutsAroundPutIsAtomic() {
        delayed.add(new Due());
        second(() -> delayed.add(new Due()));
        return delayed.offer(new Due());
    }

    boolean directPutsToOneThreadIsAtomic() throws InterruptedException {
        secondWaits(() -> direct.take());
        direct.put(one);
        secondEnds();
        return true;
    }

    boolean directPutAndReplyIsViolated() throws InterruptedException {
        secondWaits(() -> {
            if (direct.take() == one) {
                queue.add(two);
            }
        });
        direct.put(one);
        secondEnds();
        return queue.poll() == two;
    }

    boolean directPollsThatFindNobodyIsAtomic() {
        Object first = direct.poll();
        second(() -> direct.offer(one));
        return first == direct.poll();
    }

    boolean transferToWaitingThenReplyIsViolated() throws InterruptedException {
        secondWaits(() -> {
            if (transfer.take() == one) {
                queue.add(two);
            }
        });
        transfer.transfer(one);
        secondEnds();
        return queue.poll() == two;
    }

    boolean tryTransferThatFailsAroundAddIsAtomic() {
        boolean done = transfer.tryTransfer(one);
        second(() -> transfer.add(two));
        return done || transfer.add(three);
    }

    boolean drainedIntoAListThenAddAroundSizeIsViolated() {
        List<Object> list = new ArrayList<>();
        blocking.add(one);
        int count = blocking.drainTo(list);
        second(() -> list.size());
        return count == 1 && list.add(two);
    }

    boolean drainedOfNothingIntoAListThenAddAroundSizeIsAtomic() {
        List<Object> list = new ArrayList<>();
        int count = blocking.drainTo(list);
        second(() -> list.size());
        return count == 1 || list.add(two);
    }

    int drainedIntoASetThenSizeAroundAddIsViolated() {
        Set<Object> set = new HashSet<>();
        blocking.add(one);
        int count = blocking.drainTo(set, 1);
        second(() -> set.add(two));
        return count + set.size();
    }

    int drainedIntoASetThatHasItThenSizeAroundSizeIsAtomic() {
        Set<Object> set = new HashSet<>(List.of(one));
        blocking.add(one);
        int count = blocking.drainTo(set, 1);
        second(() -> set.size());
        return count + set.size();
    }

    boolean drainedFromAnotherThreadIntoAListThenAddAroundSizeIsViolated() {
        List<Object> list = new ArrayList<>();
        second(() -> blocking.add(one));
        int count = blocking.drainTo(list);
        second(() -> list.size());
        return count == 1 && list.add(two);
    }
}
