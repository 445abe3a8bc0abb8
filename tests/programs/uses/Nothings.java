package uses;

import static schedule.Threads.second;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.Spliterator;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Calls that do nothing with their receiver because of their arguments, beside such calls with others.
 */
class Nothings {
    private final BitSet bits = BitSet.valueOf(new long[] {7});
    private final Set<Planet> planets = EnumSet.of(Planet.EARTH);
    private final Map<Planet, Integer> moons = new EnumMap<>(Map.of(Planet.EARTH, 1));
    private final Deque<String> deque = new ArrayDeque<>(List.of("a"));
    private final Queue<String> least = new PriorityQueue<>(List.of("a"));
    private final Queue<String> queue = new ConcurrentLinkedQueue<>(List.of("a"));
    private final LinkedBlockingQueue<String> blocking = new LinkedBlockingQueue<>();
    private final Counters counters = new Counters();
    private final List<String> drained = new ArrayList<>();

    /** One constant is of a class of its own. */
    private enum Planet {
        EARTH,
        MARS {
            @Override
            public String toString() {
                return "red";
            }
        }
    }

    /** Its methods have the names and parameters of those of a set of bits. */
    private static final class Counters extends AtomicIntegerArray {
        private static final long serialVersionUID = 1;

        Counters() {
            super(8);
        }
    }

    private int bitsAfterSet() {
        second(() -> bits.set(9));
        return bits.cardinality();
    }

    int setOfNoBitsIsAtomic() {
        bits.set(3, 3);
        return bitsAfterSet();
    }

    int setOfBitsIsViolated() {
        bits.set(3, 4);
        return bitsAfterSet();
    }

    int setOfNoBitsToValueIsAtomic() {
        bits.set(0, 0, true);
        return bitsAfterSet();
    }

    int setOfBitsToValueIsViolated() {
        bits.set(0, 1, true);
        return bitsAfterSet();
    }

    int setOfFirstBitToValueIsViolated() {
        bits.set(0, true);
        return bitsAfterSet();
    }

    int setOfFirstBitIsViolated() {
        bits.set(0);
        return bitsAfterSet();
    }

    int clearOfNoBitsIsAtomic() {
        bits.clear(2, 2);
        return bitsAfterSet();
    }

    int clearOfBitsIsViolated() {
        bits.clear(2, 5);
        return bitsAfterSet();
    }

    int clearOfAllBitsIsViolated() {
        bits.clear();
        return bitsAfterSet();
    }

    int flipOfNoBitsIsAtomic() {
        bits.flip(5, 5);
        return bitsAfterSet();
    }

    int flipOfBitsIsViolated() {
        bits.flip(5, 7);
        return bitsAfterSet();
    }

    int setsOfElementAroundGetIsViolated() {
        counters.set(2, 3);
        second(() -> counters.get(2));
        return counters.getAndSet(2, 2);
    }

    int setsOfElementAroundGetOfAnotherIsAtomic() {
        counters.set(2, 2);
        second(() -> counters.get(3));
        return counters.getAndSet(2, 3);
    }

    private int planetsAfterAdd() {
        second(() -> planets.add(Planet.MARS));
        return planets.size();
    }

    int containsOfNullIsAtomic() {
        return planets.contains(null) ? 0 : planetsAfterAdd();
    }

    int containsOfAnotherConstantIsAtomic() {
        return ((Collection<?>) planets).contains(TimeUnit.DAYS) ? 0 : planetsAfterAdd();
    }

    int containsOfConstantIsViolated() {
        return planets.contains(Planet.MARS) ? 0 : planetsAfterAdd();
    }

    int removeOfAnotherConstantIsAtomic() {
        return ((Collection<?>) planets).remove(TimeUnit.DAYS) ? 0 : planetsAfterAdd();
    }

    int removeOfConstantThatIsNotThereIsViolated() {
        return planets.remove(Planet.MARS) ? 0 : planetsAfterAdd();
    }

    int containsAllOfAnotherEnumIsAtomic() {
        return planets.containsAll(EnumSet.of(TimeUnit.DAYS)) ? 0 : planetsAfterAdd();
    }

    int containsAllOfListOfOthersIsAtomic() {
        return planets.containsAll(List.of("x")) ? 0 : planetsAfterAdd();
    }

    int containsAllOfListIsViolated() {
        return planets.containsAll(List.of(Planet.EARTH)) ? planetsAfterAdd() : 0;
    }

    int containsAllOfNoneIsViolated() {
        return planets.containsAll(EnumSet.noneOf(Planet.class)) ? planetsAfterAdd() : 0;
    }

    int containsAllOfSameEnumIsViolated() {
        return planets.containsAll(EnumSet.of(Planet.MARS)) ? 0 : planetsAfterAdd();
    }

    int removeAllOfAnotherEnumIsAtomic() {
        return planets.removeAll(EnumSet.of(TimeUnit.DAYS)) ? 0 : planetsAfterAdd();
    }

    int removeAllOfSameEnumIsViolated() {
        return planets.removeAll(EnumSet.of(Planet.MARS)) ? 0 : planetsAfterAdd();
    }

    private int moonsAfterPut() {
        second(() -> moons.put(Planet.MARS, 2));
        return moons.size();
    }

    int getOfNullIsAtomic() {
        return moons.get(null) == null ? moonsAfterPut() : 0;
    }

    int getOfAnotherConstantIsAtomic() {
        return moons.getOrDefault(TimeUnit.DAYS, 1) + moonsAfterPut();
    }

    int getOfConstantIsViolated() {
        return moons.get(Planet.MARS) == null ? moonsAfterPut() : 0;
    }

    int removeOfKeyOfAnotherKindIsAtomic() {
        return moons.containsKey("x") || moons.remove("x") != null || moons.remove("x", 1) ? 0 : moonsAfterPut();
    }

    int removeOfKeyThatIsNotThereIsViolated() {
        return moons.remove(Planet.MARS) == null ? moonsAfterPut() : 0;
    }

    int nullInDequeIsAtomic() {
        boolean has = deque.contains(null) || deque.remove(null) || deque.removeLastOccurrence(null);
        second(() -> deque.add("b"));
        return has ? 0 : deque.size();
    }

    int elementNotInDequeIsViolated() {
        boolean has = deque.removeLastOccurrence("z");
        second(() -> deque.add("b"));
        return has ? 0 : deque.size();
    }

    int nullInPriorityQueueIsAtomic() {
        boolean has = least.contains(null) || least.remove(null);
        second(() -> least.add("b"));
        return has ? 0 : least.size();
    }

    int nullInQueueIsAtomic() {
        boolean has = queue.contains(null) || queue.remove(null);
        second(() -> queue.add("b"));
        return has ? 0 : queue.size();
    }

    int elementNotInQueueIsViolated() {
        boolean has = queue.contains("z");
        second(() -> queue.add("b"));
        return has ? 0 : queue.size();
    }

    int drainOfNoneIsAtomic() {
        int count = blocking.drainTo(drained, 0);
        second(() -> blocking.add("b"));
        return count + blocking.size();
    }

    int drainOfFewerThanNoneIsAtomic() {
        int count = blocking.drainTo(drained, -1);
        second(() -> blocking.add("b"));
        return count + blocking.size();
    }

    int drainOfOneIsViolated() {
        int count = blocking.drainTo(drained, 1);
        second(() -> blocking.add("b"));
        return count + blocking.size();
    }

    void restOfNothingOfHashMapIsAtomic() {
        new Rest<>(new HashMap<>(Map.of(1, 1, 2, 2)), 2).run();
    }

    void restOfSomethingOfHashMapIsViolated() {
        new Rest<>(new HashMap<>(Map.of(1, 1, 2, 2)), 1).run();
    }

    void restOfNothingOfLinkedHashMapIsAtomic() {
        new Rest<>(new LinkedHashMap<>(Map.of(1, 1, 2, 2)), 2).run();
    }

    void restOfSomethingOfLinkedHashMapIsViolated() {
        new Rest<>(new LinkedHashMap<>(Map.of(1, 1, 2, 2)), 1).run();
    }

    void restOfNothingOfTreeMapIsAtomic() {
        new Rest<>(new TreeMap<>(Map.of(1, 1, 2, 2)), 2).run();
    }

    void restOfSomethingOfTreeMapIsViolated() {
        new Rest<>(new TreeMap<>(Map.of(1, 1, 2, 2)), 1).run();
    }

    void restOfNothingOfDequeIsAtomic() {
        Iterator<String> each = deque.iterator();
        each.next();
        second(() -> deque.add("b"));
        each.forEachRemaining(element -> { });
    }

    void restOfListIsViolated() {
        drained.add("a");
        Iterator<String> each = drained.iterator();
        each.next();
        second(() -> drained.set(0, "b"));
        each.forEachRemaining(element -> { });
    }

    boolean noStepAroundSetIsAtomic() {
        second(() -> drained.add("a"));
        Spliterator<String> steps = drained.spliterator();
        boolean has = steps.tryAdvance(element -> { });
        second(() -> drained.set(0, "b"));
        return has && steps.tryAdvance(element -> { });
    }

    boolean stepsAroundSetIsViolated() {
        second(() -> {
            drained.add("a");
            drained.add("b");
        });
        Spliterator<String> steps = drained.spliterator();
        boolean has = steps.tryAdvance(element -> { });
        second(() -> drained.set(0, "b"));
        return has && steps.tryAdvance(element -> { });
    }

    /** An iterator that goes over the rest when it has made some steps and another thread has changed a value. No block of its own. */
    private static final class Rest<K> implements Runnable {
        private final Map<K, Integer> map;
        private final int steps;

        Rest(Map<K, Integer> map, int steps) {
            this.map = map;
            this.steps = steps;
        }

        @Override
        public void run() {
            Iterator<K> each = map.keySet().iterator();
            K last = null;
            for (int i = 0; i < steps; i++) {
                last = each.next();
            }
            K key = last;
            second(() -> map.put(key, 9));
            each.forEachRemaining(k -> { });
        }
    }
}
