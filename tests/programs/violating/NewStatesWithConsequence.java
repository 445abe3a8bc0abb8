package violating;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import schedule.Interference;

/** Methods that look like those of {@code atomic.NewStates}, but something of an attempt that failed is left. */
public class NewStatesWithConsequence {
    private static int made;
    private final AtomicReference<State> state = new AtomicReference<>(new State(0));
    private final AtomicReference<List<Integer>> list = new AtomicReference<>(List.of());
    private final AtomicReference<Named> named = new AtomicReference<>(new Counting(0));
    private volatile State last;
    private volatile List<Integer> lastCopy;
    private final AtomicReference<Node> top = new AtomicReference<>();
    private volatile Node lastNode;
    private int failed;

    /** Of a linked stack. */
    static final class Node {
        final int value;
        Node next;

        Node(int value) {
            this.value = value;
        }
    }

    static class Named {
        final int length;

        Named(int length) {
            this.length = length;
        }

        int length() {
            return length;
        }
    }

    static final class Counting extends Named {
        Counting(int length) {
            super(length);
        }

        @Override
        int length() {
            made++;
            return super.length();
        }
    }

    static final class State {
        final int count;

        State(int count) {
            this.count = count;
        }

        /** Says which is the newest. */
        State(int count, NewStatesWithConsequence of) {
            this.count = count;
            of.last = this;
        }

        State next() {
            return new State(count + 1);
        }

        int counting() {
            made++;
            return count;
        }

        State nextCounted() {
            made++;
            return new State(count + 1);
        }

        static State counted(State before) {
            made++;
            return new State(before.count + 1);
        }
    }

    /** The constructor gives its object to others. */
    // finding: violating.NewStatesWithConsequence.constructorTells() unrepeatable read
    void constructorTells() {
        State s;
        State next;
        do {
            s = state.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
            next = new State(s.count + 1, this);
        } while (!state.compareAndSet(s, next));
    }

    // finding: violating.NewStatesWithConsequence.accessorCounts() unrepeatable read
    void accessorCounts() {
        State s;
        State next;
        do {
            s = state.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
            next = new State(s.counting() + 1);
        } while (!state.compareAndSet(s, next));
    }

    /** The method that is named only reads, but that of the object counts. */
    // finding: violating.NewStatesWithConsequence.accessorOfAnotherClassCounts() unrepeatable read
    void accessorOfAnotherClassCounts() {
        Named s;
        Named next;
        do {
            s = named.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
            next = new Counting(s.length() + 1);
        } while (!named.compareAndSet(s, next));
    }

    // finding: violating.NewStatesWithConsequence.methodCounts() unrepeatable read
    void methodCounts() {
        State s;
        do {
            s = state.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
        } while (!state.compareAndSet(s, s.nextCounted()));
    }

    // finding: violating.NewStatesWithConsequence.factoryCounts() unrepeatable read
    void factoryCounts() {
        State s;
        do {
            s = state.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
        } while (!state.compareAndSet(s, State.counted(s)));
    }

    /** The object is put into a field before it is published. */
    // finding: violating.NewStatesWithConsequence.isKept() unrepeatable read
    void isKept() {
        State s;
        State next;
        do {
            s = state.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
            next = new State(s.count + 1);
            last = next;
        } while (!state.compareAndSet(s, next));
    }

    /** What a failed attempt has made is returned. */
    // finding: violating.NewStatesWithConsequence.returnsTheFirst() unrepeatable read
    State returnsTheFirst() {
        State first = null;
        for (;;) {
            State s = state.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
            State next = new State(s.count + 1);
            if (first == null) {
                first = next;
            }
            if (state.compareAndSet(s, next)) {
                return first;
            }
        }
    }

    /** The copy keeps what earlier attempts have put into it. */
    // finding: violating.NewStatesWithConsequence.copiesIntoOne() unrepeatable read
    void copiesIntoOne() {
        List<Integer> copy = new ArrayList<>();
        List<Integer> old;
        do {
            old = list.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
            copy.addAll(old);
            copy.add(1);
        } while (!list.compareAndSet(old, copy));
    }

    /** Others can see the copy while it changes. */
    // finding: violating.NewStatesWithConsequence.changesWhatOthersSee() unrepeatable read
    void changesWhatOthersSee() {
        for (;;) {
            List<Integer> old = list.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
            List<Integer> copy = new ArrayList<>(old);
            lastCopy = copy;
            copy.add(1);
            if (list.compareAndSet(old, copy)) {
                return;
            }
        }
    }

    // finding: violating.NewStatesWithConsequence.countsFailures() unrepeatable read
    void countsFailures() {
        for (;;) {
            State s = state.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
            if (state.compareAndSet(s, new State(s.count + 1))) {
                return;
            }
            failed++;
        }
    }

    /** Others can see the node while it is pushed. */
    // finding: violating.NewStatesWithConsequence.pushesWhatOthersSee() unrepeatable read
    void pushesWhatOthersSee() {
        Node node = new Node(-1);
        lastNode = node;
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

    /** What an earlier attempt has written can stay. */
    // finding: violating.NewStatesWithConsequence.pushesSometimes(int) unrepeatable read
    void pushesSometimes(int odd) {
        Node node = new Node(-1);
        Node old;
        do {
            old = top.get();
            int later = Interference.$jacocoNow + 2;
            while (later <= Interference.END && Interference.$jacocoNow < later) {
                Thread.yield();
            }
            if ((old.value & 1) == odd) {
                node.next = old;
            }
        } while (!top.compareAndSet(old, node));
    }

    /** The second look decides what the first one has made. */
    // finding: violating.NewStatesWithConsequence.setsWhatWasMadeBefore() stale check-then-act on an atomic variable
    void setsWhatWasMadeBefore() {
        State s = state.get();
        int later = Interference.$jacocoNow + 2;
        while (later <= Interference.END && Interference.$jacocoNow < later) {
            Thread.yield();
        }
        State next = new State(s.count + 1);
        while (!state.compareAndSet(state.get(), next)) {
            Thread.onSpinWait();
        }
    }

    // waits inside: violating.NewStatesWithConsequence.count(java.lang.Runnable)
    private void count(Runnable method) throws InterruptedException {
        Interference.duringWait(() -> state.set(new State(0)), () -> state.updateAndGet(State::next).count, method);
    }

    // waits inside: violating.NewStatesWithConsequence.push(java.lang.Runnable)
    private void push(Runnable method) throws InterruptedException {
        Interference.duringWait(() -> top.set(new Node(0)), () -> top.updateAndGet(old -> new Node(Math.max(old.value, 0) + 1)).value, method);
    }

    // waits inside: violating.NewStatesWithConsequence.name(java.lang.Runnable)
    private void name(Runnable method) throws InterruptedException {
        Interference.duringWait(() -> named.set(new Counting(0)), () -> named.updateAndGet(old -> new Counting(old.length + 1)).length, method);
    }

    // waits inside: violating.NewStatesWithConsequence.grow(java.lang.Runnable)
    private void grow(Runnable method) throws InterruptedException {
        Interference.duringWait(() -> list.set(List.of()), () -> list.updateAndGet(old -> {
            List<Integer> copy = new ArrayList<>(old);
            copy.add(2);
            return copy;
        }).size(), method);
    }

    public static void main(String[] args) throws InterruptedException {
        NewStatesWithConsequence n = new NewStatesWithConsequence();
        n.count(n::constructorTells);
        n.count(n::accessorCounts);
        n.name(n::accessorOfAnotherClassCounts);
        n.count(n::methodCounts);
        n.count(n::factoryCounts);
        n.count(n::isKept);
        n.count(n::returnsTheFirst);
        n.grow(n::copiesIntoOne);
        n.grow(n::changesWhatOthersSee);
        n.count(n::countsFailures);
        n.push(n::pushesWhatOthersSee);
        n.push(() -> n.pushesSometimes(0));
        n.count(n::setsWhatWasMadeBefore);
        System.out.println((made > 0) + " " + (n.failed > 0) + " " + (n.last != null && n.lastNode != null && n.lastCopy != null));
    }
}
