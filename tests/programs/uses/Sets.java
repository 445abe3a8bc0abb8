package uses;

import static schedule.Threads.second;
import static schedule.Threads.third;

import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;

/**
 * Sets, of one variable and of one for each element.
 */
class Sets {
    private final Set<String> hashed = new HashSet<>(List.of("a", "b"));
    private final NavigableSet<Integer> sorted = new TreeSet<>(List.of(1, 3, 5));
    private final Set<TimeUnit> units = EnumSet.of(TimeUnit.DAYS);
    private final Set<String> snapshots = new CopyOnWriteArraySet<>(List.of("a", "b"));
    private final NavigableSet<Integer> skipping = new ConcurrentSkipListSet<>(List.of(1, 3, 5));
    private final Set<String> keys = ConcurrentHashMap.newKeySet();
    private final Set<String> ofMap = Collections.newSetFromMap(new ConcurrentHashMap<>());

    Sets() {
        keys.add("a");
        ofMap.add("a");
    }

    boolean containsThenAddAroundAddOfAnotherIsViolated() {
        boolean has = hashed.contains("c");
        second(() -> hashed.add("d"));
        return has || hashed.add("c");
    }

    boolean containsThenAddAroundAddOfOneThatIsThereIsAtomic() {
        boolean has = hashed.contains("c");
        second(() -> hashed.add("a"));
        return has || hashed.add("c");
    }

    int headThenTailAroundPollIsViolated() {
        int head = sorted.headSet(4).last();
        second(() -> sorted.pollFirst());
        return head + sorted.tailSet(4).first();
    }

    int headOfTailThenDescendingAroundFloorIsAtomic() {
        int head = sorted.tailSet(2).headSet(4).first();
        second(() -> sorted.floor(2));
        return head + sorted.descendingSet().first();
    }

    boolean addToHeadThenSizeAroundSizeOfTailIsAtomic() {
        boolean isNew = sorted.headSet(4).add(2);
        second(() -> sorted.tailSet(4).size());
        return isNew && sorted.size() == 4;
    }

    boolean addToHeadTwiceAroundSizeOfTailIsViolated() {
        boolean isNew = sorted.headSet(4).add(2);
        second(() -> sorted.tailSet(4).size());
        return isNew && sorted.headSet(2).add(0);
    }

    int unitsTwiceAroundAddIsViolated() {
        int size = units.size();
        second(() -> units.add(TimeUnit.HOURS));
        return size + EnumSet.copyOf(units).size();
    }

    boolean unitsIteratedTwiceAroundRemoveThatFailsIsAtomic() {
        boolean has = units.iterator().hasNext();
        second(() -> units.remove(TimeUnit.HOURS));
        return has && units.contains(TimeUnit.DAYS);
    }

    int insertionOrderThenCopyAroundClearIsViolated() {
        Set<String> linked = new LinkedHashSet<>(hashed);
        Iterator<String> iterator = linked.iterator();
        String first = iterator.next();
        second(() -> linked.clear());
        return first.length() + new TreeSet<>(linked).size();
    }

    String snapshotOfSetAroundRemoveIsAtomic() {
        Iterator<String> iterator = snapshots.iterator();
        String first = iterator.next();
        second(() -> snapshots.remove("a"));
        return first + iterator.next();
    }

    boolean addOfPresentThenAddOfNewAroundRemoveIsViolated() {
        boolean isNew = snapshots.add("a");
        second(() -> snapshots.remove("b"));
        return isNew || snapshots.add("c");
    }

    boolean keyTwiceAroundAddOfAnotherIsAtomic() {
        boolean has = keys.contains("b");
        second(() -> keys.add("c"));
        return has || keys.add("b");
    }

    boolean keyTwiceAroundAddOfItIsViolated() {
        boolean has = keys.contains("b");
        second(() -> keys.add("b"));
        return has || keys.add("b");
    }

    boolean addOfPresentTwiceAroundContainsIsAtomic() {
        boolean isNew = keys.add("a");
        second(() -> keys.contains("a"));
        return isNew || keys.add("a");
    }

    int sizeThenContainsAroundAddIsViolated() {
        int size = keys.size();
        second(() -> keys.add("b"));
        return keys.contains("b") ? size : 0;
    }

    int sizeThenContainsOfAnotherAroundAddIsAtomic() {
        int size = keys.size();
        second(() -> keys.add("b"));
        return keys.contains("a") ? size : 0;
    }

    boolean containsAllTwiceAroundRemoveIsViolated() {
        boolean first = ofMap.containsAll(Set.of("a"));
        second(() -> ofMap.remove("a"));
        return first && ofMap.add("a");
    }

    boolean containsAllTwiceAroundRemoveOfAnotherIsAtomic() {
        boolean first = ofMap.containsAll(Set.of("a"));
        second(() -> ofMap.remove("b"));
        return first && ofMap.containsAll(List.of("a"));
    }

    int firstTwiceAroundAddOfLeastIsViolated() {
        int first = skipping.first();
        second(() -> skipping.add(0));
        return first - skipping.first();
    }

    int firstTwiceAroundAddOfPresentIsAtomic() {
        int first = skipping.first();
        second(() -> skipping.add(5));
        return first - skipping.first();
    }

    boolean descendingHeadThenContainsAroundRemoveIsViolated() {
        boolean has = skipping.descendingSet().headSet(2).contains(3);
        second(() -> skipping.remove(3));
        return has && skipping.contains(3);
    }

    boolean descendingHeadThenContainsAroundRemoveOfAnotherIsAtomic() {
        boolean has = skipping.descendingSet().headSet(2).contains(3);
        second(() -> skipping.remove(5));
        return has && skipping.contains(3);
    }

    int pollTwiceAroundSizeIsViolated() {
        int first = skipping.pollFirst();
        second(() -> skipping.size());
        return first + skipping.pollLast();
    }

    boolean addTwiceAroundAddsOfTwoOthersIsAtomic() {
        boolean isNew = skipping.add(2);
        second(() -> skipping.add(4));
        third(() -> skipping.add(6));
        return isNew && skipping.add(8);
    }

    boolean addTwiceAroundSizeOfThirdIsViolated() {
        boolean isNew = skipping.add(2);
        second(() -> skipping.add(4));
        third(() -> skipping.size());
        return isNew && skipping.add(8);
    }

    int containsAllOfSharedThenSizeAroundAddIsViolated() {
        boolean all = new HashSet<>(List.of("a", "b", "c")).containsAll(hashed);
        second(() -> hashed.add("d"));
        return all ? hashed.size() : 0;
    }

    int removeAllOfSharedFromEmptySetThenSizeAroundAddIsViolated() {
        boolean any = new HashSet<String>().removeAll(hashed);
        second(() -> hashed.add("c"));
        return any ? 0 : hashed.size();
    }

    int retainAllOfSharedInEmptySetThenSizeAroundAddIsAtomic() {
        boolean any = new HashSet<String>().retainAll(hashed);
        second(() -> hashed.add("c"));
        return any ? 0 : hashed.size();
    }

    int equalsOfListWithSharedThenSizeAroundAddIsAtomic() {
        boolean same = new LinkedList<>(List.of("a", "b")).equals(hashed);
        second(() -> hashed.add("c"));
        return same ? 0 : hashed.size();
    }

    int equalsWithSharedThenSizeAroundRemoveIsViolated() {
        boolean same = new TreeSet<>(List.of("a")).equals(hashed);
        second(() -> hashed.remove("a"));
        return same ? 0 : hashed.size();
    }

    boolean containsAllThatStopsAtKeyThenContainsOfAnotherAroundAddIsAtomic() {
        boolean all = new HashSet<>(List.of(7)).containsAll(skipping);
        second(() -> skipping.add(9));
        return all || skipping.contains(3);
    }

    boolean containsAllOfKeysThenContainsAroundAddIsViolated() {
        boolean all = new HashSet<>(List.of(1, 3, 5, 9)).containsAll(skipping);
        second(() -> skipping.add(9));
        return all && skipping.contains(9);
    }

    int intoAnEmptySynchronizedSetThenSizeAroundAddIsViolated() {
        Set<String> into = Collections.synchronizedSet(new HashSet<>());
        boolean any = into.addAll(hashed);
        second(() -> hashed.add("c"));
        return any ? hashed.size() : 0;
    }

    int enumsOfAnotherClassThenSizeAroundAddIsAtomic() {
        boolean any = EnumSet.of(Thread.State.NEW).retainAll(units);
        second(() -> units.add(TimeUnit.HOURS));
        return any ? units.size() : 0;
    }
}
