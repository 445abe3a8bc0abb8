package dev.regiontrack.instrument.flow;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import dev.regiontrack.Tables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.Test;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/** Which loops only create what they publish with a {@code compareAndSet}. */
public class PublicationsTest {
    /** The published objects. */
    static class State {
        final int n;
        State next;

        State(int n) {
            this.n = n;
        }

        static State of(int n) {
            return new State(n);
        }
    }

    /** An object that a method keeps to itself. */
    static class Sum {
        int n;
        int before;
    }

    /** A method for each shape. In those that begin with "used" a failed attempt leaves something behind. */
    static class Shapes {
        final AtomicReference<State> state = new AtomicReference<>(new State(0));
        final AtomicReference<List<Integer>> list = new AtomicReference<>(List.of());
        final AtomicReference<int[]> array = new AtomicReference<>(new int[1]);
        final AtomicReference<BitSet> bits = new AtomicReference<>(new BitSet());
        final AtomicInteger number = new AtomicInteger();
        State last;
        int limit;

        void makes() {
            State old;
            State next;
            do {
                old = state.get();
                next = new State(old.n + 1);
            } while (!state.compareAndSet(old, next));
        }

        void makesByMethod() {
            State old;
            do {
                old = state.get();
            } while (!state.compareAndSet(old, State.of(old.n + limit)));
        }

        State makesEither() {
            for (;;) {
                State old = state.get();
                State next = old.n > limit ? new State(0) : new State(old.n + 1);
                if (state.compareAndSet(old, next)) {
                    return next;
                }
            }
        }

        void copies() {
            List<Integer> old;
            List<Integer> copy;
            do {
                old = list.get();
                copy = new ArrayList<>(old);
                for (int i = 0; i < limit; i++) {
                    copy.add(i);
                }
            } while (!list.compareAndSet(old, Collections.unmodifiableList(copy)));
        }

        void copiesOne() {
            List<Integer> old;
            List<Integer> copy;
            do {
                old = list.get();
                copy = new ArrayList<>(old);
                copy.add(limit);
            } while (!list.compareAndSet(old, Collections.unmodifiableList(copy)));
        }

        void copiesAll() {
            List<Integer> old;
            List<Integer> copy;
            do {
                old = list.get();
                copy = new ArrayList<>();
                copy.addAll(old);
            } while (!list.compareAndSet(old, copy));
        }

        void copiesInLoop() {
            List<Integer> old;
            List<Integer> copy;
            do {
                old = list.get();
                copy = new ArrayList<>(old);
                for (int i = 0; i < 3; i++) {
                    copy.add(1);
                }
            } while (!list.compareAndSet(old, copy));
        }

        void copiesArray(int i) {
            int[] old;
            int[] copy;
            do {
                old = array.get();
                copy = Arrays.copyOf(old, old.length + 1);
                copy[i] = 1;
            } while (!array.compareAndSet(old, copy));
        }

        void copiesBits(int i) {
            BitSet old;
            BitSet copy;
            do {
                old = bits.get();
                copy = (BitSet) old.clone();
                copy.set(i);
            } while (!bits.compareAndSet(old, copy));
        }

        void pushes() {
            State made = new State(1);
            State old;
            do {
                old = state.get();
                made.next = old;
            } while (!state.compareAndSet(old, made));
        }

        State pops() {
            for (;;) {
                State old = state.get();
                if (old == null) {
                    return null;
                }
                if (state.compareAndSet(old, old.next)) {
                    return old;
                }
            }
        }

        void usedToCount() {
            State old;
            State next;
            do {
                old = state.get();
                next = new State(old.n + 1);
                limit++;
            } while (!state.compareAndSet(old, next));
        }

        void usedToKeep() {
            State old;
            State next;
            do {
                old = state.get();
                next = new State(old.n + 1);
                last = next;
            } while (!state.compareAndSet(old, next));
        }

        void usedInOneCopy() {
            List<Integer> copy = new ArrayList<>();
            List<Integer> old;
            do {
                old = list.get();
                copy.addAll(old);
            } while (!list.compareAndSet(old, copy));
        }

        void usedInOneArray(int i) {
            int[] copy = new int[10];
            int[] old;
            do {
                old = array.get();
                copy[i] = old[i] + 1;
            } while (!array.compareAndSet(old, copy));
        }

        void usedInSharedArray(int i) {
            int[] old;
            do {
                old = array.get();
                old[i]++;
            } while (!array.compareAndSet(old, old.clone()));
        }

        void usedOnOneWay() {
            State made = new State(1);
            State old;
            do {
                old = state.get();
                if (old.n > 0) {
                    made.next = old;
                }
            } while (!state.compareAndSet(old, made));
        }

        /** On one way the attempt that succeeds does not write it. */
        void usedOnAnotherWay() {
            State made = new State(1);
            State old;
            do {
                old = state.get();
                if ((old.hashCode() & 1) == 0) {
                    made.next = old;
                }
            } while (!state.compareAndSet(old, made));
        }

        int usedToAdd() {
            Sum sum = new Sum();
            int c;
            do {
                c = number.get();
                sum.n += c;
            } while (!number.compareAndSet(c, c + 1));
            return sum.n;
        }

        int keepsAnEvenOne() {
            Sum sum = new Sum();
            int c;
            do {
                c = number.get();
                if ((c & 1) == 0) {
                    sum.n = c;
                }
            } while (!number.compareAndSet(c, c + 1));
            return sum.n;
        }

        int usedByAnotherName() {
            Sum sum = new Sum();
            Sum same = sum;
            int c;
            do {
                c = number.get();
                sum.before = same.n;
                same.n = c;
            } while (!number.compareAndSet(c, c + 1));
            return 0;
        }

        State usedInAList() {
            State list = new State(0);
            int c;
            do {
                c = number.get();
                list.next = chain(list.next);
            } while (!number.compareAndSet(c, c + 1));
            return list.next;
        }

        static State chain(State before) {
            return before;
        }

        void triesTwice() {
            State made = new State(1);
            State old = state.get();
            made.next = old;
            if (!state.compareAndSet(old, made)) {
                old = state.get();
                state.compareAndSet(old, made);
            }
        }

        void usedOncePublished() {
            State made = new State(1);
            for (int i = 0; i < limit; i++) {
                State old;
                do {
                    old = state.get();
                    made.next = old;
                } while (!state.compareAndSet(old, made));
            }
        }

        int countsOddOnes() {
            int odd = 0;
            int c;
            do {
                c = number.get();
                if ((c & 1) != 0) {
                    odd++;
                }
            } while (!number.compareAndSet(c, c + 2));
            return odd;
        }

        int countsLowOnes() {
            int low = 0;
            int c;
            do {
                c = number.get();
                switch (c & 3) {
                    case 0:
                        low++;
                        break;
                    case 1:
                        low += 2;
                        break;
                    default:
                }
            } while (!number.compareAndSet(c, c + 1));
            return low;
        }

        int usedToCountRounds() {
            int skipped = 0;
            for (;;) {
                int c = number.get();
                int[] made = {c};
                if ((made[0] & 1) != 0) {
                    skipped = 1;
                    continue;
                }
                if (number.compareAndSet(c, c + 2)) {
                    return skipped;
                }
            }
        }

        int usedByWhoReturnsIt(int most) {
            Sum sum = new Sum();
            for (;;) {
                int c = number.get();
                sum.n = c;
                if (number.compareAndSet(c, c + 1)) {
                    return c;
                }
                if (sum.n > most) {
                    return sum.n;
                }
            }
        }

        /** What is published has what an attempt has written that was given up. */
        boolean usedToGiveUp() {
            State made = new State(1);
            for (;;) {
                State old = state.get();
                if (old.n > 5) {
                    made.next = old;
                    continue;
                }
                return state.compareAndSet(old, made);
            }
        }

        int usedToAddWhatIsGivenUp() {
            Sum sum = new Sum();
            for (;;) {
                int c = number.get();
                sum.n += c;
                if ((c & 1) != 0) {
                    continue;
                }
                return number.compareAndSet(c, c + 1) ? sum.n : 0;
            }
        }

        /** A new object for each push. */
        void pushesAll() {
            for (int i = 0; i < limit; i++) {
                State made = new State(i);
                State old;
                do {
                    old = state.get();
                    made.next = old;
                } while (!state.compareAndSet(old, made));
            }
        }

        void pushesOnWhatItSees() {
            State made = new State(1);
            made.next = state.get();
            while (!state.compareAndSet(made.next, made)) {
                made.next = state.get();
            }
        }

        State usedByWhoGivesUp() {
            State made = new State(1);
            State old = state.get();
            made.next = old;
            return state.compareAndSet(old, made) ? null : made.next;
        }

        int countsBits() {
            int c;
            int bits;
            do {
                c = number.get();
                bits = 0;
                for (int rest = c; rest != 0; rest &= rest - 1) {
                    bits++;
                }
            } while (!number.compareAndSet(c, bits));
            return bits;
        }

        void usedByWhoHasIt() {
            State made = new State(1);
            last = made;
            State old;
            do {
                old = state.get();
                made.next = old;
            } while (!state.compareAndSet(old, made));
        }

        State usedByCaller() {
            State made = new State(1);
            State old = state.get();
            made.next = old;
            return state.compareAndSet(old, made) ? null : made;
        }

        void usedByAny(Map<State, State> any) {
            State old;
            do {
                old = state.get();
                any.put(old, old);
            } while (!state.compareAndSet(old, new State(1)));
        }

        void usedUnderLock() {
            State old;
            State next;
            do {
                old = state.get();
                synchronized (this) {
                    next = new State(old.n + 1);
                }
            } while (!state.compareAndSet(old, next));
        }

        State usedWithout(int most) {
            for (;;) {
                State old = state.get();
                State next = new State(old.n + 1);
                if (next.n > most) {
                    return old;
                }
                if (state.compareAndSet(old, next)) {
                    return next;
                }
            }
        }

        void usedForAnother(AtomicReference<State> other) {
            State old;
            State next;
            do {
                old = state.get();
                next = new State(old.n + 1);
            } while (!other.compareAndSet(old, next));
        }

        int usedByHandler() {
            State old;
            do {
                old = state.get();
                try {
                    last = new State(old.n / limit);
                } catch (ArithmeticException e) {
                    return old.n;
                }
            } while (!state.compareAndSet(old, null));
            return 0;
        }
    }

    private static Map<String, List<Attempt>> attempts() throws IOException {
        Tables.load("class java.util.ArrayList\nread size iterator toArray\nwrite add addAll\narguments java.util.ArrayList\ntoArray/0 new/1");
        return Shaped.attempts(Shapes.class);
    }

    @Test
    public void nothing_is_left_of_an_attempt_that_fails() throws IOException {
        Set<String> wrong = new TreeSet<>();
        for (Map.Entry<String, List<Attempt>> entry : attempts().entrySet()) {
            boolean isNone = entry.getKey().startsWith("used") || entry.getKey().startsWith("<") || entry.getKey().equals("chain");
            if (entry.getValue().isEmpty() != isNone) {
                wrong.add(entry.getKey());
            }
        }
        assertEquals(Set.of(), wrong);
    }

    @Test
    public void on_one_way_something_is_left() throws IOException {
        for (String method : List.of("countsOddOnes", "countsLowOnes", "keepsAnEvenOne")) {
            Attempt attempt = attempts().get(method).get(0);
            assertEquals(method, 1, attempt.on().length);
            assertTrue(method, exits(attempt).anyMatch(i -> attempt.exitTo(i) == Attempt.Exit.USED));
        }
    }

    @Test
    public void the_second_attempt_publishes_what_the_first_one_has_written() throws IOException {
        List<Attempt> found = attempts().get("triesTwice");
        assertEquals(1, found.size());
        assertTrue(IntStream.range(0, found.get(0).first()).anyMatch(i -> found.get(0).at(i).getOpcode() == Opcodes.PUTFIELD));
    }

    /** Returns the instructions behind an attempt. */
    private static IntStream exits(Attempt attempt) {
        return IntStream.range(0, 100).filter(i -> !attempt.region().get(i) && attempt.exitTo(i) != null);
    }

    @Test
    public void constructors_and_static_methods_are_asked() throws IOException {
        Map<String, List<Attempt>> all = attempts();
        assertEquals("<init>", asked(all.get("makes")));
        assertEquals("of", asked(all.get("makesByMethod")));
        assertEquals("<init> <init>", asked(all.get("makesEither")));
        assertEquals("<init>", asked(all.get("pushes")));
        assertEquals("", asked(all.get("copies")));
    }

    private static String asked(List<Attempt> attempts) {
        Attempt attempt = attempts.get(0);
        return Arrays.stream(attempt.on()).boxed().flatMap(on -> attempt.asked(on).stream()).map((MethodInsnNode call) -> call.name).collect(Collectors.joining(" "));
    }
}
