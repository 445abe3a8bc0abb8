package atomic;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.IntSupplier;
import schedule.Interference;

/**
 * Loops that replace an object by a new one that was made from it: immutable states, copies that are changed before others can see them. Another thread replaces it meanwhile, and the loop
 * tries again with what is there then. {@code violating.NewStatesWithConsequence} has methods that look like these.
 */
public class NewStates {
    private static final AtomicReferenceFieldUpdater<NewStates, State> UPDATER = AtomicReferenceFieldUpdater.newUpdater(NewStates.class, State.class, "updated");

    private final AtomicReference<State> state = new AtomicReference<>(new State(0, 0));
    private final AtomicReference<List<Integer>> list = new AtomicReference<>(List.of());
    private final AtomicReference<Map<String, Integer>> map = new AtomicReference<>(Map.of());
    private final AtomicReference<BitSet> bits = new AtomicReference<>(new BitSet());
    private final AtomicReference<int[]> counts = new AtomicReference<>(new int[2]);
    private final AtomicReference<Node> top = new AtomicReference<>();
    private volatile State updated = new State(0, 0);

    /** Of a linked stack. */
    static final class Node {
        final int value;
        Node next;

        Node(int value) {
            this.value = value;
        }
    }

    /** Two numbers that belong together. */
    static final class State {
        final int count;
        final long sum;

        State(int count, long sum) {
            if (count < 0) {
                throw new IllegalArgumentException("less than none");
            }
            this.count = count;
            this.sum = sum;
        }

        int count() {
            return count;
        }

        long sum() {
            return sum;
        }

        State with(long more) {
            return new State(count + 1, sum + more);
        }

        static State of(State before, long more) {
            return new State(before.count + 1, before.sum + more);
        }
    }

    void adds(long more) {
        State s;
        State next;
        do {
            s = state.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
            next = new State(s.count + 1, s.sum + more);
        } while (!state.compareAndSet(s, next));
    }

    /** As of a record, whose class nobody extends. */
    void addsByAccessors(long more) {
        State s;
        State next;
        do {
            s = state.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
            next = new State(s.count() + 1, s.sum() + more);
        } while (!state.compareAndSet(s, next));
    }

    boolean addsAsArgument(long more) {
        for (;;) {
            State s = state.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
            if (state.compareAndSet(s, new State(s.count + 1, Math.max(s.sum, more)))) {
                return true;
            }
        }
    }

    void addsByMethod(long more) {
        State s;
        do {
            s = state.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
        } while (!state.compareAndSet(s, s.with(more)));
    }

    void addsByFactory(long more) {
        State s;
        do {
            s = updated;
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
        } while (!UPDATER.compareAndSet(this, s, State.of(s, more)));
    }

    State addsToLimit(int limit) {
        for (;;) {
            State s = state.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
            State next = s.count < limit ? new State(s.count + 1, s.sum) : new State(0, s.sum);
            if (state.compareAndSet(s, next)) {
                return next;
            }
        }
    }

    void copiesList(int value) {
        for (;;) {
            List<Integer> old = list.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
            List<Integer> copy = new ArrayList<>(old);
            copy.add(value);
            if (list.compareAndSet(old, Collections.unmodifiableList(copy))) {
                break;
            }
        }
    }

    void copiesMap(String key, Integer value) {
        Map<String, Integer> old;
        HashMap<String, Integer> copy;
        do {
            old = map.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
            copy = new HashMap<>(old);
            copy.put(key, value);
        } while (!map.compareAndSet(old, copy));
    }

    void copiesBits(int bit) {
        boolean isSet;
        do {
            BitSet old = bits.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
            BitSet copy = (BitSet) old.clone();
            copy.set(bit);
            isSet = bits.compareAndSet(old, copy);
        } while (!isSet);
    }

    void copiesArray(int i) {
        int[] old;
        int[] copy;
        do {
            old = counts.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
            copy = old.clone();
            copy[i]++;
        } while (!counts.compareAndSet(old, copy));
    }

    /** A push onto a linked stack. */
    void pushes(int value) {
        Node node = new Node(value);
        Node old;
        do {
            old = top.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
            node.next = old;
        } while (!top.compareAndSet(old, node));
    }

    int pops() {
        for (;;) {
            Node old = top.get();
            if (old == null) {
                return -1;
            }
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
            Node next = old.next;
            if (top.compareAndSet(old, next)) {
                return old.value;
            }
        }
    }

    // waits inside: atomic.NewStates.count(java.lang.Runnable,java.util.function.IntSupplier)
    private void count(Runnable method, IntSupplier next) throws InterruptedException {
        Interference.duringWait(() -> {
            state.set(new State(0, 0));
            updated = new State(0, 0);
            list.set(List.of());
            map.set(Map.of());
            bits.set(new BitSet());
            counts.set(new int[2]);
            top.set(new Node(0));
        }, next, method);
    }

    private int next() {
        return state.updateAndGet(s -> s.with(1)).count;
    }

    private int push() {
        for (;;) {
            Node old = top.get();
            Node node = new Node(Math.max(old.value, 0) + 1);
            node.next = old;
            if (top.compareAndSet(old, node)) {
                return node.value;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        NewStates n = new NewStates();
        n.count(() -> n.adds(1), n::next);
        n.count(() -> n.addsByAccessors(1), n::next);
        n.count(() -> n.addsAsArgument(1), n::next);
        n.count(() -> n.addsByMethod(1), n::next);
        n.count(() -> n.addsByFactory(1), () -> UPDATER.updateAndGet(n, s -> s.with(1)).count);
        n.count(() -> n.addsToLimit(1000), n::next);
        n.count(() -> n.copiesList(1), () -> n.list.updateAndGet(old -> {
            List<Integer> copy = new ArrayList<>(old);
            copy.add(2);
            return copy;
        }).size());
        n.count(() -> n.copiesMap("one", 1), () -> n.map.updateAndGet(old -> {
            Map<String, Integer> copy = new HashMap<>(old);
            copy.merge("two", 1, Integer::sum);
            return copy;
        }).get("two"));
        n.count(() -> n.copiesBits(100), () -> n.bits.updateAndGet(old -> {
            BitSet copy = (BitSet) old.clone();
            copy.set(copy.nextClearBit(0));
            return copy;
        }).nextClearBit(0));
        n.count(() -> n.copiesArray(0), () -> n.counts.updateAndGet(old -> new int[] {old[0], old[1] + 1})[1]);
        n.count(() -> n.pushes(-1), n::push);
        n.count(n::pops, n::push);
        System.out.println(n.state.get().count + " " + n.list.get().size() + " " + n.map.get() + " " + n.bits.get().get(100) + " " + n.counts.get()[0]);
    }
}
