package modelled;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Calls whose argument is the object, at which they do not look, or of which nobody knows whether they look at what the other thread changes: two of them are
 * atomic with a change between. {@link PassedCalls} has the same calls with other receivers and arguments.
 */
public class UntouchedCalls extends Calls {
    private static final List<Integer> SOME = List.of(1, 2, 3, 4);

    /** All of them. */
    public UntouchedCalls() {
        emptyReceivers();
        otherKinds();
        itself();
        drains();
        unknown();
    }

    private void ofList(Call<Collection<Integer>> call) {
        reads(() -> new ArrayList<>(SOME), (a, t) -> a.add(9), call);
    }

    private void emptyReceivers() {
        List<Supplier<Collection<Integer>>> lists = List.of(ArrayList::new, LinkedList::new, Vector::new, ArrayDeque::new, PriorityQueue::new, CopyOnWriteArrayList::new,
            CopyOnWriteArraySet::new, ConcurrentLinkedQueue::new, ConcurrentLinkedDeque::new, () -> new ArrayBlockingQueue<>(9), LinkedBlockingQueue::new,
            LinkedBlockingDeque::new, LinkedTransferQueue::new, PriorityBlockingQueue::new, () -> new ArrayList<>(SOME).subList(1, 1),
            () -> new LinkedList<>(SOME).subList(1, 1), () -> new CopyOnWriteArrayList<>(SOME).subList(1, 1), () -> Collections.synchronizedList(new ArrayList<>()),
            () -> new HashMap<Integer, Integer>().values(), () -> new ConcurrentHashMap<Integer, Integer>().values(), () -> new IdentityHashMap<Integer, Integer>().keySet(),
            ConcurrentHashMap::newKeySet);
        for (Supplier<Collection<Integer>> list : lists) {
            ofList((a, t) -> list.get().removeAll(a));
            ofList((a, t) -> list.get().retainAll(a));
        }
        List<Supplier<Collection<Integer>>> sets = List.of(HashSet::new, TreeSet::new, ConcurrentSkipListSet::new, () -> new HashMap<Integer, Integer>().keySet(),
            () -> Collections.synchronizedSet(new HashSet<>()));
        for (Supplier<Collection<Integer>> set : sets) {
            ofList((a, t) -> set.get().retainAll(a));
        }
        reads(() -> EnumSet.of(TimeUnit.DAYS), (a, t) -> a.add(TimeUnit.HOURS), (a, t) -> new ArrayList<TimeUnit>().removeAll(a));
    }

    private void otherKinds() {
        ofList((a, t) -> new HashSet<>(SOME).equals(a));
        ofList((a, t) -> new HashMap<>().equals(a));
        ofList((a, t) -> new ArrayDeque<>(SOME).equals(a));
        reads(() -> new HashSet<>(SOME), (a, t) -> a.add(9), (a, t) -> new ArrayList<>(SOME).equals(a));
        reads(() -> EnumSet.of(TimeUnit.DAYS), (a, t) -> a.add(TimeUnit.HOURS), (a, t) -> EnumSet.of(Thread.State.NEW).removeAll(a),
            (a, t) -> EnumSet.of(Thread.State.NEW).retainAll(a), (a, t) -> EnumSet.of(Thread.State.NEW).equals(a));
        reads(() -> new EnumMap<>(Map.of(TimeUnit.DAYS, 1)), (a, t) -> a.put(TimeUnit.HOURS, 1), (a, t) -> new HashSet<>().equals(a));
    }

    private void itself() {
        Supplier<Set<Integer>> keys = ConcurrentHashMap::newKeySet;
        reads(keys, (a, t) -> a.add(9), (a, t) -> a.containsAll(a), (a, t) -> a.equals(a));
        ofList((a, t) -> a.equals(a));
    }

    private void drains() {
        List<Supplier<BlockingQueue<Integer>>> queues = List.of(() -> new ArrayBlockingQueue<>(9), LinkedBlockingQueue::new, LinkedBlockingDeque::new, LinkedTransferQueue::new,
            PriorityBlockingQueue::new);
        for (Supplier<BlockingQueue<Integer>> queue : queues) {
            ofList((a, t) -> queue.get().drainTo(a));
        }
        ofList((a, t) -> new LinkedBlockingQueue<>(SOME).drainTo(a, 0));
        reads(() -> new ArrayList<Delayed>(), (a, t) -> a.add(null), (a, t) -> new DelayQueue<>().drainTo(a));
        ofList((a, t) -> Collections.addAll(a));
        // Another thread only looks at a set, which may have had them all.
        reads(() -> new HashSet<>(SOME), (a, t) -> a.size(), (a, t) -> new LinkedBlockingQueue<>(SOME).drainTo(a));
    }

    /** Keys of the argument that the other thread changes; nobody knows whether these have been looked at. */
    private void unknown() {
        Supplier<Set<Integer>> keys = ConcurrentSkipListSet::new;
        reads(keys, (a, t) -> a.add(9), (a, t) -> new ArrayList<>(SOME).retainAll(a), (a, t) -> new LinkedList<>(SOME).removeAll(a),
            (a, t) -> new ConcurrentHashMap<>(Map.of(1, 1)).keySet().retainAll(a));
        // It has found one that stays.
        reads(() -> new ConcurrentLinkedQueue<>(SOME), (a, t) -> a.add(9), (a, t) -> new ArrayList<>(List.of(7)).containsAll(a));
    }
}
