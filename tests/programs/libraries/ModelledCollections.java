package libraries;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ArrayTable;
import com.google.common.collect.BiMap;
import com.google.common.collect.BoundType;
import com.google.common.collect.ClassToInstanceMap;
import com.google.common.collect.ConcurrentHashMultiset;
import com.google.common.collect.EnumBiMap;
import com.google.common.collect.EnumHashBiMap;
import com.google.common.collect.EnumMultiset;
import com.google.common.collect.EvictingQueue;
import com.google.common.collect.HashBasedTable;
import com.google.common.collect.HashBiMap;
import com.google.common.collect.HashMultimap;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.LinkedHashMultiset;
import com.google.common.collect.LinkedListMultimap;
import com.google.common.collect.MinMaxPriorityQueue;
import com.google.common.collect.Multiset;
import com.google.common.collect.MutableClassToInstanceMap;
import com.google.common.collect.Range;
import com.google.common.collect.RangeMap;
import com.google.common.collect.RangeSet;
import com.google.common.collect.Table;
import com.google.common.collect.TreeBasedTable;
import com.google.common.collect.TreeMultimap;
import com.google.common.collect.TreeMultiset;
import com.google.common.collect.TreeRangeMap;
import com.google.common.collect.TreeRangeSet;
import com.google.common.reflect.MutableTypeToInstanceMap;
import com.google.common.reflect.TypeToInstanceMap;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import schedule.Steps;

/**
 * Calls of Guava's collections, whose code is not watched: methods called {@code twice..} are violated by what another thread does in the middle, those called
 * {@code once..} are not. The other thread is forced to act there, so that it does not matter that these collections are not made for threads.
 */
public class ModelledCollections {
    private final TreeMultiset<String> tree = TreeMultiset.create();
    private final HashMultiset<String> hashed = HashMultiset.create();
    private final LinkedHashMultiset<String> linked = LinkedHashMultiset.create();
    private final EnumMultiset<TimeUnit> units = EnumMultiset.create(TimeUnit.class);
    private final ConcurrentHashMultiset<String> concurrent = ConcurrentHashMultiset.create();
    private final TreeRangeMap<Integer, String> rangeMap = TreeRangeMap.create();
    private final RangeMap<Integer, String> someRangeMap = TreeRangeMap.create();
    private final TreeRangeSet<Integer> rangeSet = TreeRangeSet.create();
    private final RangeSet<Integer> someRangeSet = TreeRangeSet.create();
    private final HashBiMap<String, String> both = HashBiMap.create();
    private final EnumBiMap<TimeUnit, Thread.State> enums = EnumBiMap.create(TimeUnit.class, Thread.State.class);
    private final EnumHashBiMap<TimeUnit, String> names = EnumHashBiMap.create(TimeUnit.class);
    private final HashBasedTable<String, String, String> table = HashBasedTable.create();
    private final TreeBasedTable<String, String, String> treeTable = TreeBasedTable.create();
    private final ArrayTable<String, String, String> arrayTable = ArrayTable.create(List.of("a", "b"), List.of("c"));
    private final MinMaxPriorityQueue<String> ordered = MinMaxPriorityQueue.create();
    private final EvictingQueue<String> evicting = EvictingQueue.create(2);
    private final EvictingQueue<String> none = EvictingQueue.create(0);
    private final ArrayListMultimap<String, String> lists = ArrayListMultimap.create();
    private final HashMultimap<String, String> sets = HashMultimap.create();
    private final LinkedHashMultimap<String, String> linkedSets = LinkedHashMultimap.create();
    private final LinkedListMultimap<String, String> linkedLists = LinkedListMultimap.create();
    private final TreeMultimap<String, String> sortedSets = TreeMultimap.create();
    private final ClassToInstanceMap<Object> instances = MutableClassToInstanceMap.create();
    private final TypeToInstanceMap<Object> typed = new MutableTypeToInstanceMap<>();
    private final List<Runnable> methods = new ArrayList<>();
    private final List<Runnable> others = new ArrayList<>();
    private int step;

    private void meet() {
        Steps.done(++step);
        Steps.await(++step);
    }

    void twiceTree() {
        if (tree.count("a") == 0) {
            meet();
            tree.add("a");
        }
    }

    void twiceTreeFirst() {
        tree.firstEntry();
        meet();
        tree.pollFirstEntry();
    }

    void twiceTreePart() {
        tree.headMultiset("z", BoundType.OPEN).size();
        meet();
        tree.size();
    }

    void twiceTreeElements() {
        tree.elementSet().first();
        meet();
        tree.descendingMultiset().contains("b");
    }

    void twiceTreeSteps() {
        Iterator<String> each = tree.iterator();
        each.next();
        meet();
        tree.count("b");
    }

    void twiceTreeEntrySteps() {
        Iterator<Multiset.Entry<String>> each = tree.entrySet().iterator();
        each.next();
        meet();
        tree.count("b");
    }

    /** None is added. */
    void onceTree() {
        tree.size();
        meet();
        tree.add("a", 0);
        tree.remove("a", 0);
    }

    void twiceHashed() {
        int count = hashed.count("a");
        meet();
        hashed.add("a", 1 - count);
    }

    void twiceHashedRemoved() {
        hashed.count("r");
        meet();
        hashed.count("r");
    }

    void twiceHashedSet() {
        hashed.count("s");
        meet();
        hashed.count("s");
    }

    /** The iterator returns an element again without a look at the multiset. */
    void onceHashedSteps() {
        Iterator<String> each = hashed.iterator();
        each.next();
        meet();
        each.next();
    }

    /** None is removed. */
    void onceHashedRemoved() {
        hashed.count("s");
        meet();
        hashed.count("s");
    }

    void twiceLinked() {
        if (!linked.contains("a")) {
            meet();
            linked.add("a");
        }
    }

    void onceLinked() {
        linked.contains("a");
        meet();
        linked.contains("a");
    }

    void twiceUnits() {
        if (!units.contains(TimeUnit.DAYS)) {
            meet();
            units.add(TimeUnit.DAYS);
        }
    }

    void twiceUnitsRemoved() {
        units.size();
        meet();
        units.remove(TimeUnit.HOURS, 1);
    }

    void twiceUnitsSteps() {
        Iterator<Multiset.Entry<TimeUnit>> each = units.entrySet().iterator();
        each.next();
        meet();
        units.count(TimeUnit.DAYS);
    }

    void twiceUnitsContained() {
        units.containsAll(List.of(TimeUnit.DAYS));
        meet();
        units.count(TimeUnit.DAYS);
    }

    /** What is no constant of the enum is in no such multiset, whatever is. */
    void onceUnits() {
        units.contains("DAYS");
        units.containsAll(List.of("DAYS"));
        units.removeAll(List.of("DAYS"));
        units.containsAll(EnumSet.noneOf(TimeUnit.class));
        meet();
        units.count(Thread.State.NEW);
        units.remove(null);
        units.remove(null, 1);
    }

    void twiceConcurrentAdded() {
        concurrent.count("a");
        meet();
        concurrent.count("a");
    }

    void twiceConcurrentRemoved() {
        concurrent.count("r");
        meet();
        concurrent.count("r");
    }

    void onceConcurrent() {
        concurrent.count("r");
        meet();
        concurrent.count("r");
    }

    void twiceRangeMap() {
        if (rangeMap.get(3) == null) {
            meet();
            rangeMap.put(Range.closed(1, 5), "x");
        }
    }

    void twiceRangesOfMap() {
        someRangeMap.asMapOfRanges().size();
        meet();
        someRangeMap.getEntry(3);
    }

    void twiceRangeMapSteps() {
        Iterator<String> each = someRangeMap.asMapOfRanges().values().iterator();
        each.next();
        meet();
        someRangeMap.get(3);
    }

    /** Nothing is put by an empty range. */
    void onceRangeMap() {
        rangeMap.get(3);
        meet();
        rangeMap.get(3);
    }

    /** A part of a map looks at nothing that is outside. */
    void oncePartOfRangeMap() {
        rangeMap.subRangeMap(Range.closed(1, 2)).get(3);
        meet();
        rangeMap.subRangeMap(Range.closed(1, 2)).get(3);
    }

    void twiceRangeSet() {
        if (!rangeSet.contains(3)) {
            meet();
            rangeSet.add(Range.closed(1, 5));
        }
    }

    void twiceComplement() {
        someRangeSet.complement().contains(3);
        meet();
        someRangeSet.encloses(Range.closed(2, 3));
    }

    /** To take a range out of the complement is to put it in. */
    void twiceTakenOut() {
        someRangeSet.contains(10);
        meet();
        someRangeSet.contains(10);
    }

    void twiceRangesOfSet() {
        someRangeSet.asRanges().size();
        meet();
        someRangeSet.span();
    }

    void onceRangeSet() {
        rangeSet.contains(3);
        meet();
        rangeSet.contains(3);
    }

    void twiceBoth() {
        if (!both.containsValue("x")) {
            meet();
            both.put("a", "x");
        }
    }

    void twiceKeysOfBoth() {
        both.keySet().contains("b");
        meet();
        both.values().contains("b");
    }

    void twiceInverse() {
        both.inverse().get("o");
        meet();
        both.get("b");
    }

    void twiceStepsOfBoth() {
        Iterator<Map.Entry<String, String>> each = both.entrySet().iterator();
        each.next();
        meet();
        both.get("b");
    }

    void onceBoth() {
        both.get("a");
        meet();
        both.get("a");
    }

    void twiceEnums() {
        if (enums.get(TimeUnit.DAYS) == null) {
            meet();
            enums.put(TimeUnit.DAYS, Thread.State.NEW);
        }
    }

    void twiceValuesOfEnums() {
        enums.containsValue(Thread.State.NEW);
        meet();
        enums.inverse().get(Thread.State.BLOCKED);
    }

    void twiceNames() {
        names.containsValue("d");
        meet();
        names.get(TimeUnit.DAYS);
    }

    /** What is no constant of the enum is no key, and no value. */
    void onceEnums() {
        enums.get("DAYS");
        enums.remove(null);
        enums.containsValue("NEW");
        names.inverse().containsValue("DAYS");
        meet();
        enums.containsKey("DAYS");
        enums.inverse().containsKey("NEW");
        names.containsKey(Thread.State.NEW);
    }

    void twiceTable() {
        if (table.get("a", "b") == null) {
            meet();
            table.put("a", "b", "x");
        }
    }

    void twiceRowsOfTable() {
        table.rowKeySet().contains("b");
        meet();
        table.rowMap().get("b");
    }

    void twiceColumnsOfTable() {
        table.columnKeySet().contains("c");
        meet();
        table.values().size();
    }

    void twiceCellsOfTable() {
        Iterator<Table.Cell<String, String, String>> each = table.cellSet().iterator();
        each.next();
        meet();
        table.column("c").get("d");
    }

    /** There is no null in a table, and it does not look for it. */
    void onceTable() {
        table.get(null, "b");
        table.rowKeySet().contains(null);
        table.columnMap().get(null);
        table.values().contains(null);
        meet();
        table.containsRow(null);
        table.containsColumn(null);
        table.contains(null, "b");
    }

    void twiceTreeTable() {
        if (!treeTable.containsRow("a")) {
            meet();
            treeTable.put("a", "b", "x");
        }
    }

    void twiceRowOfTreeTable() {
        treeTable.row("a").firstKey();
        meet();
        treeTable.rowKeySet().size();
    }

    void onceTreeTable() {
        treeTable.size();
        meet();
        treeTable.size();
    }

    void twiceArrayTable() {
        String value = arrayTable.get("a", "c");
        meet();
        arrayTable.put("a", "c", value + "x");
    }

    void twiceArrayTableAt() {
        arrayTable.at(1, 0);
        meet();
        arrayTable.set(1, 0, "x");
    }

    void twiceErased() {
        arrayTable.containsValue("none");
        meet();
        arrayTable.containsValue("none");
    }

    /** Its keys stay the same, and so does its size. */
    void onceArrayTable() {
        arrayTable.get("a", "none");
        arrayTable.containsRow("a");
        arrayTable.row("a").size();
        meet();
        arrayTable.size();
        arrayTable.contains("a", "c");
        arrayTable.cellSet().size();
    }

    void twiceOrdered() {
        if (ordered.peekLast() == null) {
            meet();
            ordered.add("x");
        }
    }

    void twiceOrderedSteps() {
        Iterator<String> each = ordered.iterator();
        each.next();
        meet();
        ordered.pollLast();
    }

    void onceOrdered() {
        ordered.peekFirst();
        meet();
        ordered.peekFirst();
    }

    void twiceEvicting() {
        if (evicting.remainingCapacity() > 0) {
            meet();
            evicting.add("x");
        }
    }

    void onceEvicting() {
        evicting.peek();
        meet();
        evicting.peek();
    }

    /** This one has no room for anything. */
    void onceNone() {
        none.size();
        meet();
        none.size();
    }

    void twiceLists() {
        if (!lists.containsKey("a")) {
            meet();
            lists.put("a", "x");
        }
    }

    void twiceKeysOfLists() {
        lists.keySet().contains("b");
        meet();
        lists.keys().count("b");
    }

    void twiceValuesOfLists() {
        Iterator<String> each = lists.values().iterator();
        each.next();
        meet();
        lists.entries().size();
    }

    void twiceListOfLists() {
        Iterator<String> each = lists.get("a").iterator();
        each.next();
        meet();
        lists.asMap().get("a");
    }

    /** At the beginning of the list, which is not how many there are. */
    void twiceAddedFirst() {
        lists.get("a").size();
        meet();
        lists.get("a").size();
    }

    void onceLists() {
        lists.entries().contains("none");
        lists.values().stream();
        meet();
        lists.entries().remove("none");
    }

    void twiceSets() {
        if (!sets.containsEntry("a", "x")) {
            meet();
            sets.put("a", "x");
        }
    }

    /** What is there already is not put in. */
    void onceSets() {
        sets.containsEntry("a", "x");
        meet();
        sets.containsEntry("a", "x");
    }

    void twiceLinkedSets() {
        linkedSets.get("a").size();
        meet();
        linkedSets.remove("a", "o");
    }

    void twiceLinkedSetsSteps() {
        Iterator<Map.Entry<String, String>> each = linkedSets.entries().iterator();
        each.next();
        meet();
        linkedSets.size();
    }

    void onceLinkedSets() {
        linkedSets.size();
        meet();
        linkedSets.size();
    }

    void twiceLinkedLists() {
        if (linkedLists.get("a").isEmpty()) {
            meet();
            linkedLists.get("a").add("x");
        }
    }

    void twiceLinkedListsSteps() {
        Iterator<String> each = linkedLists.keySet().iterator();
        each.next();
        meet();
        linkedLists.keySet().size();
    }

    void onceLinkedLists() {
        linkedLists.size();
        meet();
        linkedLists.size();
    }

    void twiceSortedSets() {
        if (sortedSets.get("a").isEmpty()) {
            meet();
            sortedSets.put("a", "x");
        }
    }

    void twiceFirstOfSortedSets() {
        sortedSets.get("a").first();
        meet();
        sortedSets.keySet().first();
    }

    void onceSortedSets() {
        sortedSets.containsKey("a");
        meet();
        sortedSets.containsKey("a");
    }

    void twiceInstances() {
        if (instances.getInstance(String.class) == null) {
            meet();
            instances.putInstance(String.class, "x");
        }
    }

    void twiceKeysOfInstances() {
        instances.keySet().contains(Integer.class);
        meet();
        instances.get(Integer.class);
    }

    void onceInstances() {
        instances.getInstance(String.class);
        meet();
        instances.size();
    }

    void twiceTyped() {
        if (typed.getInstance(String.class) == null) {
            meet();
            typed.putInstance(String.class, "x");
        }
    }

    void onceTyped() {
        typed.getInstance(String.class);
        meet();
        typed.isEmpty();
    }

    private void meanwhile(Runnable method, Runnable other) {
        others.add(other);
        methods.add(method);
    }

    private void multisets() {
        tree.add("c");
        meanwhile(this::twiceTree, () -> tree.add("a", 2));
        meanwhile(this::twiceTreeFirst, () -> tree.add("b"));
        meanwhile(this::twiceTreePart, () -> tree.add("b"));
        meanwhile(this::twiceTreeElements, () -> tree.setCount("b", 4));
        meanwhile(this::twiceTreeSteps, () -> tree.elementSet().remove("b"));
        meanwhile(this::twiceTreeEntrySteps, () -> tree.remove("c", 1));
        meanwhile(this::onceTree, () -> tree.add("d"));
        hashed.add("p", 2);
        hashed.add("r", 2);
        meanwhile(this::twiceHashed, () -> hashed.add("a"));
        meanwhile(this::twiceHashedRemoved, () -> hashed.remove("r", 2));
        meanwhile(this::onceHashedSteps, () -> hashed.add("p"));
        hashed.add("s");
        meanwhile(this::twiceHashedSet, () -> hashed.setCount("s", 3));
        meanwhile(this::onceHashedRemoved, () -> hashed.remove("s", 0));
        meanwhile(this::twiceLinked, () -> linked.add("a"));
        meanwhile(this::onceLinked, () -> linked.remove("none", 1));
        units.add(TimeUnit.HOURS);
        meanwhile(this::twiceUnits, () -> units.add(TimeUnit.DAYS));
        meanwhile(this::twiceUnitsRemoved, () -> units.add(TimeUnit.DAYS));
        meanwhile(this::twiceUnitsSteps, () -> units.add(TimeUnit.DAYS));
        meanwhile(this::twiceUnitsContained, () -> units.add(TimeUnit.DAYS, 2));
        meanwhile(this::onceUnits, () -> units.add(TimeUnit.DAYS));
        concurrent.add("r", 3);
        meanwhile(this::twiceConcurrentAdded, () -> concurrent.add("a", 2));
        meanwhile(this::twiceConcurrentRemoved, () -> concurrent.remove("r", 2));
        meanwhile(this::onceConcurrent, () -> concurrent.add("r", 0));
    }

    private void ranges() {
        someRangeMap.put(Range.closed(0, 9), "m");
        meanwhile(this::twiceRangeMap, () -> rangeMap.put(Range.closed(2, 4), "o"));
        meanwhile(this::twiceRangesOfMap, () -> someRangeMap.put(Range.closedOpen(2, 4), "o"));
        meanwhile(this::twiceRangeMapSteps, () -> someRangeMap.clear());
        meanwhile(this::onceRangeMap, () -> rangeMap.put(Range.closedOpen(3, 3), "o"));
        meanwhile(this::oncePartOfRangeMap, () -> rangeMap.put(Range.closed(2, 4), "p"));
        someRangeSet.add(Range.closed(0, 9));
        meanwhile(this::twiceRangeSet, () -> rangeSet.add(Range.closed(2, 4)));
        meanwhile(this::twiceComplement, () -> someRangeSet.add(Range.closed(20, 30)));
        meanwhile(this::twiceTakenOut, () -> someRangeSet.complement().remove(Range.closed(10, 11)));
        meanwhile(this::twiceRangesOfSet, () -> someRangeSet.add(Range.closed(40, 50)));
        meanwhile(this::onceRangeSet, () -> rangeSet.add(Range.openClosed(3, 3)));
    }

    private void maps() {
        both.put("b", "m");
        meanwhile(this::twiceBoth, () -> both.put("c", "o"));
        meanwhile(this::twiceKeysOfBoth, () -> both.forcePut("d", "o"));
        meanwhile(this::twiceInverse, () -> both.inverse().put("n", "e"));
        meanwhile(this::twiceStepsOfBoth, () -> both.remove("e"));
        meanwhile(this::onceBoth, () -> both.remove("none"));
        meanwhile(this::onceBoth, () -> both.put("b", "m"));
        meanwhile(this::onceBoth, () -> both.forcePut("b", "m"));
        meanwhile(this::twiceEnums, () -> enums.put(TimeUnit.HOURS, Thread.State.BLOCKED));
        meanwhile(this::twiceValuesOfEnums, () -> enums.inverse().remove(Thread.State.BLOCKED));
        meanwhile(this::twiceNames, () -> names.put(TimeUnit.DAYS, "d"));
        meanwhile(this::onceEnums, () -> {
            enums.clear();
            names.clear();
        });
        meanwhile(this::twiceInstances, () -> instances.putInstance(String.class, "o"));
        meanwhile(this::twiceKeysOfInstances, () -> instances.put(Integer.class, 1));
        meanwhile(this::onceInstances, () -> instances.remove(Long.class));
        meanwhile(this::twiceTyped, () -> typed.putInstance(String.class, "o"));
        meanwhile(this::onceTyped, () -> typed.getInstance(Long.class));
    }

    private void tables() {
        table.put("b", "c", "m");
        table.put("d", "c", "m");
        meanwhile(this::twiceTable, () -> table.put("a", "b", "o"));
        meanwhile(this::twiceRowsOfTable, () -> table.row("b").put("e", "o"));
        meanwhile(this::twiceColumnsOfTable, () -> table.column("c").remove("b"));
        meanwhile(this::twiceCellsOfTable, () -> table.rowMap().remove("b"));
        meanwhile(this::onceTable, () -> table.clear());
        meanwhile(this::twiceTreeTable, () -> treeTable.put("a", "b", "o"));
        meanwhile(this::twiceRowOfTreeTable, () -> treeTable.remove("a", "b"));
        meanwhile(this::onceTreeTable, () -> treeTable.remove("none", "b"));
        arrayTable.put("a", "c", "m");
        meanwhile(this::twiceArrayTable, () -> arrayTable.put("a", "c", "o"));
        meanwhile(this::twiceArrayTableAt, () -> arrayTable.set(1, 0, "o"));
        meanwhile(this::twiceErased, () -> arrayTable.erase("b", "c"));
        meanwhile(this::onceArrayTable, () -> arrayTable.eraseAll());
    }

    private void queues() {
        meanwhile(this::twiceOrdered, () -> ordered.add("o"));
        meanwhile(this::twiceOrderedSteps, () -> ordered.offer("o"));
        meanwhile(this::onceOrdered, () -> ordered.remove("none"));
        meanwhile(this::twiceEvicting, () -> evicting.add("o"));
        meanwhile(this::onceEvicting, () -> evicting.contains("o"));
        meanwhile(this::onceNone, () -> none.add("o"));
    }

    private void multimaps() {
        lists.put("b", "m");
        linkedSets.put("a", "m");
        linkedSets.put("b", "m");
        linkedLists.put("b", "m");
        meanwhile(this::twiceLists, () -> lists.put("a", "o"));
        meanwhile(this::twiceKeysOfLists, () -> lists.put("b", "o"));
        meanwhile(this::twiceValuesOfLists, () -> lists.get("a").add("p"));
        meanwhile(this::twiceListOfLists, () -> lists.keySet().remove("b"));
        meanwhile(this::twiceAddedFirst, () -> lists.get("a").add(0, "o"));
        meanwhile(this::onceLists, () -> lists.clear());
        meanwhile(this::twiceSets, () -> sets.put("a", "o"));
        meanwhile(this::onceSets, () -> sets.put("a", "o"));
        meanwhile(this::twiceLinkedSets, () -> linkedSets.put("a", "o"));
        meanwhile(this::twiceLinkedSetsSteps, () -> linkedSets.put("b", "o"));
        meanwhile(this::onceLinkedSets, () -> linkedSets.remove("b", "none"));
        meanwhile(this::twiceLinkedLists, () -> linkedLists.put("a", "o"));
        meanwhile(this::twiceLinkedListsSteps, () -> linkedLists.put("c", "o"));
        meanwhile(this::onceLinkedLists, () -> linkedLists.containsKey("c"));
        meanwhile(this::twiceSortedSets, () -> sortedSets.put("a", "o"));
        meanwhile(this::twiceFirstOfSortedSets, () -> sortedSets.get("a").pollLast());
        meanwhile(this::onceSortedSets, () -> sortedSets.remove("a", "none"));
    }

    public static void main(String[] args) throws InterruptedException {
        ModelledCollections p = new ModelledCollections();
        p.multisets();
        p.ranges();
        p.maps();
        p.tables();
        p.queues();
        p.multimaps();
        Steps.run(() -> p.methods.forEach(Runnable::run), () -> {
            for (int i = 0; i < p.others.size(); i++) {
                Steps.await(2 * i + 1);
                p.others.get(i).run();
                Steps.done(2 * i + 2);
            }
        });
        System.out.println("done");
    }
}
