package atomic;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.WeakHashMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
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
import schedule.Steps;

/**
 * Collections and maps that are arguments of constructors and static methods: nobody changes them in between.
 */
public class PassedCollectionsRead {
    private final List<String> list = new ArrayList<>(List.of("k", "l"));
    private final Map<String, Integer> map = new HashMap<>(Map.of("k", 1));
    private final Map<TimeUnit, Integer> units = new EnumMap<>(Map.of(TimeUnit.HOURS, 1));
    private final EnumSet<TimeUnit> days = EnumSet.of(TimeUnit.HOURS);
    private final List<Waiting> waiting = new ArrayList<>(List.of(new Waiting()));
    private final Map<String, Integer> concurrent = new ConcurrentHashMap<>(Map.of("k", 1));
    private final Collection<String> queue = new ConcurrentLinkedQueue<>(List.of("k"));

    private static final class Copy extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Copy(List<String> of) {
            super(of);
        }
    }

    Object ofArrayList() {
        Object first = new ArrayList<>(list);
        Steps.done(1);
        Steps.await(2);
        return first.equals(new ArrayList<>(list));
    }

    Object ofLinkedList() {
        Object first = new LinkedList<>(list);
        Steps.done(3);
        Steps.await(4);
        return first.equals(new LinkedList<>(list));
    }

    Object ofVector() {
        Object first = new Vector<>(list);
        Steps.done(5);
        Steps.await(6);
        return first.equals(new Vector<>(list));
    }

    Object ofArrayDeque() {
        Object first = new ArrayDeque<>(list);
        Steps.done(7);
        Steps.await(8);
        return first.equals(new ArrayDeque<>(list));
    }

    Object ofPriorityQueue() {
        Object first = new PriorityQueue<>(list);
        Steps.done(9);
        Steps.await(10);
        return first.equals(new PriorityQueue<>(list));
    }

    Object ofHashSet() {
        Object first = new HashSet<>(list);
        Steps.done(11);
        Steps.await(12);
        return first.equals(new HashSet<>(list));
    }

    Object ofLinkedHashSet() {
        Object first = new LinkedHashSet<>(list);
        Steps.done(13);
        Steps.await(14);
        return first.equals(new LinkedHashSet<>(list));
    }

    Object ofTreeSet() {
        Object first = new TreeSet<>(list);
        Steps.done(15);
        Steps.await(16);
        return first.equals(new TreeSet<>(list));
    }

    Object ofCopyOnWriteArrayList() {
        Object first = new CopyOnWriteArrayList<>(list);
        Steps.done(17);
        Steps.await(18);
        return first.equals(new CopyOnWriteArrayList<>(list));
    }

    Object ofCopyOnWriteArraySet() {
        Object first = new CopyOnWriteArraySet<>(list);
        Steps.done(19);
        Steps.await(20);
        return first.equals(new CopyOnWriteArraySet<>(list));
    }

    Object ofConcurrentLinkedQueue() {
        Object first = new ConcurrentLinkedQueue<>(list);
        Steps.done(21);
        Steps.await(22);
        return first.equals(new ConcurrentLinkedQueue<>(list));
    }

    Object ofConcurrentLinkedDeque() {
        Object first = new ConcurrentLinkedDeque<>(list);
        Steps.done(23);
        Steps.await(24);
        return first.equals(new ConcurrentLinkedDeque<>(list));
    }

    Object ofLinkedBlockingQueue() {
        Object first = new LinkedBlockingQueue<>(list);
        Steps.done(25);
        Steps.await(26);
        return first.equals(new LinkedBlockingQueue<>(list));
    }

    Object ofLinkedBlockingDeque() {
        Object first = new LinkedBlockingDeque<>(list);
        Steps.done(27);
        Steps.await(28);
        return first.equals(new LinkedBlockingDeque<>(list));
    }

    Object ofLinkedTransferQueue() {
        Object first = new LinkedTransferQueue<>(list);
        Steps.done(29);
        Steps.await(30);
        return first.equals(new LinkedTransferQueue<>(list));
    }

    Object ofPriorityBlockingQueue() {
        Object first = new PriorityBlockingQueue<>(list);
        Steps.done(31);
        Steps.await(32);
        return first.equals(new PriorityBlockingQueue<>(list));
    }

    Object ofConcurrentSkipListSet() {
        Object first = new ConcurrentSkipListSet<>(list);
        Steps.done(33);
        Steps.await(34);
        return first.equals(new ConcurrentSkipListSet<>(list));
    }

    Object ofMapToHashMap() {
        Object first = new HashMap<>(map);
        Steps.done(35);
        Steps.await(36);
        return first.equals(new HashMap<>(map));
    }

    Object ofMapToLinkedHashMap() {
        Object first = new LinkedHashMap<>(map);
        Steps.done(37);
        Steps.await(38);
        return first.equals(new LinkedHashMap<>(map));
    }

    Object ofMapToTreeMap() {
        Object first = new TreeMap<>(map);
        Steps.done(39);
        Steps.await(40);
        return first.equals(new TreeMap<>(map));
    }

    Object ofMapToIdentityHashMap() {
        Object first = new IdentityHashMap<>(map);
        Steps.done(41);
        Steps.await(42);
        return first.equals(new IdentityHashMap<>(map));
    }

    Object ofMapToHashtable() {
        Object first = new Hashtable<>(map);
        Steps.done(43);
        Steps.await(44);
        return first.equals(new Hashtable<>(map));
    }

    Object ofMapToWeakHashMap() {
        Object first = new WeakHashMap<>(map);
        Steps.done(45);
        Steps.await(46);
        return first.equals(new WeakHashMap<>(map));
    }

    Object ofMapToConcurrentHashMap() {
        Object first = new ConcurrentHashMap<>(map);
        Steps.done(47);
        Steps.await(48);
        return first.equals(new ConcurrentHashMap<>(map));
    }

    Object ofMapToConcurrentSkipListMap() {
        Object first = new ConcurrentSkipListMap<>(map);
        Steps.done(49);
        Steps.await(50);
        return first.equals(new ConcurrentSkipListMap<>(map));
    }

    Object ofEnumMapOfMap() {
        Object first = new EnumMap<>(units);
        Steps.done(51);
        Steps.await(52);
        return first.equals(new EnumMap<>(units));
    }

    Object ofListCopy() {
        Object first = List.copyOf(list);
        Steps.done(53);
        Steps.await(54);
        return first.equals(List.copyOf(list));
    }

    Object ofSetCopy() {
        Object first = Set.copyOf(list);
        Steps.done(55);
        Steps.await(56);
        return first.equals(Set.copyOf(list));
    }

    Object ofMax() {
        Object first = Collections.max(list);
        Steps.done(57);
        Steps.await(58);
        return first.equals(Collections.max(list));
    }

    Object ofMaxBy() {
        Object first = Collections.max(list, Comparator.naturalOrder());
        Steps.done(59);
        Steps.await(60);
        return first.equals(Collections.max(list, Comparator.naturalOrder()));
    }

    Object ofMin() {
        Object first = Collections.min(list);
        Steps.done(61);
        Steps.await(62);
        return first.equals(Collections.min(list));
    }

    Object ofMinBy() {
        Object first = Collections.min(list, Comparator.naturalOrder());
        Steps.done(63);
        Steps.await(64);
        return first.equals(Collections.min(list, Comparator.naturalOrder()));
    }

    Object ofFrequency() {
        Object first = Collections.frequency(list, "k");
        Steps.done(65);
        Steps.await(66);
        return first.equals(Collections.frequency(list, "k"));
    }

    Object ofSearch() {
        Object first = Collections.binarySearch(list, "k");
        Steps.done(67);
        Steps.await(68);
        return first.equals(Collections.binarySearch(list, "k"));
    }

    Object ofSearchBy() {
        Object first = Collections.binarySearch(list, "k", Comparator.naturalOrder());
        Steps.done(69);
        Steps.await(70);
        return first.equals(Collections.binarySearch(list, "k", Comparator.naturalOrder()));
    }

    Object ofJoin() {
        Object first = String.join(" ", list);
        Steps.done(71);
        Steps.await(72);
        return first.equals(String.join(" ", list));
    }

    Object ofMapCopy() {
        Object first = Map.copyOf(map);
        Steps.done(73);
        Steps.await(74);
        return first.equals(Map.copyOf(map));
    }

    Object ofEnumSetCopy() {
        Object first = EnumSet.copyOf(days);
        Steps.done(75);
        Steps.await(76);
        return first.equals(EnumSet.copyOf(days));
    }

    Object ofView() {
        Object first = new ArrayList<>(map.keySet());
        Steps.done(77);
        Steps.await(78);
        return first.equals(new ArrayList<>(map.keySet()));
    }

    Object ofWrapper() {
        Object first = new ArrayList<>(Collections.unmodifiableList(list));
        Steps.done(79);
        Steps.await(80);
        return first.equals(new ArrayList<>(Collections.unmodifiableList(list)));
    }

    Object ofConcurrent() {
        Object first = new HashMap<>(concurrent);
        Steps.done(81);
        Steps.await(82);
        return first.equals(new HashMap<>(concurrent));
    }

    Object ofConcurrentKeys() {
        Object first = new ArrayList<>(concurrent.keySet());
        Steps.done(83);
        Steps.await(84);
        return first.equals(new ArrayList<>(concurrent.keySet()));
    }

    Object ofQueue() {
        Object first = new ArrayList<>(queue);
        Steps.done(85);
        Steps.await(86);
        return first.equals(new ArrayList<>(queue));
    }

    Object ofSuperclass() {
        Object first = new Copy(list);
        Steps.done(87);
        Steps.await(88);
        return first.equals(new Copy(list));
    }

    boolean toSort() {
        Collections.sort(list);
        Steps.done(89);
        Steps.await(90);
        return list.isEmpty();
    }

    boolean toSortBy() {
        Collections.sort(list, Comparator.reverseOrder());
        Steps.done(91);
        Steps.await(92);
        return list.isEmpty();
    }

    boolean toShuffle() {
        Collections.shuffle(list);
        Steps.done(93);
        Steps.await(94);
        return list.isEmpty();
    }

    boolean toShuffleBy() {
        Collections.shuffle(list, new Random(1));
        Steps.done(95);
        Steps.await(96);
        return list.isEmpty();
    }

    boolean toReverse() {
        Collections.reverse(list);
        Steps.done(97);
        Steps.await(98);
        return list.isEmpty();
    }

    boolean toRotate() {
        Collections.rotate(list, 1);
        Steps.done(99);
        Steps.await(100);
        return list.isEmpty();
    }

    boolean toSwap() {
        Collections.swap(list, 0, 1);
        Steps.done(101);
        Steps.await(102);
        return list.isEmpty();
    }

    boolean toFill() {
        Collections.fill(list, "k");
        Steps.done(103);
        Steps.await(104);
        return list.isEmpty();
    }

    boolean toReplace() {
        boolean isReplaced = Collections.replaceAll(list, "k", "m");
        Steps.done(105);
        Steps.await(106);
        return isReplaced && list.isEmpty();
    }

    boolean ofSubList() {
        int first = Collections.indexOfSubList(list, List.of("m"));
        Steps.done(107);
        Steps.await(108);
        return first == Collections.lastIndexOfSubList(list, List.of("m"));
    }

    Object ofEnumSetComplement() {
        Object first = EnumSet.complementOf(days);
        Steps.done(109);
        Steps.await(110);
        return first.equals(EnumSet.complementOf(days));
    }

    Object ofDelayQueue() {
        Object first = new DelayQueue<>(waiting).size();
        Steps.done(111);
        Steps.await(112);
        return first.equals(new DelayQueue<>(waiting).size());
    }

    Object ofArrayBlockingQueue() {
        Object first = new ArrayBlockingQueue<>(9, false, waiting).size();
        Steps.done(113);
        Steps.await(114);
        return first.equals(new ArrayBlockingQueue<>(9, false, waiting).size());
    }

    /** What is never over. */
    private static final class Waiting implements Delayed {
        @Override
        public long getDelay(TimeUnit unit) {
            return 1;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        PassedCollectionsRead shared = new PassedCollectionsRead();
        Steps.run(() -> {
            shared.ofArrayList();
            shared.ofLinkedList();
            shared.ofVector();
            shared.ofArrayDeque();
            shared.ofPriorityQueue();
            shared.ofHashSet();
            shared.ofLinkedHashSet();
            shared.ofTreeSet();
            shared.ofCopyOnWriteArrayList();
            shared.ofCopyOnWriteArraySet();
            shared.ofConcurrentLinkedQueue();
            shared.ofConcurrentLinkedDeque();
            shared.ofLinkedBlockingQueue();
            shared.ofLinkedBlockingDeque();
            shared.ofLinkedTransferQueue();
            shared.ofPriorityBlockingQueue();
            shared.ofConcurrentSkipListSet();
            shared.ofMapToHashMap();
            shared.ofMapToLinkedHashMap();
            shared.ofMapToTreeMap();
            shared.ofMapToIdentityHashMap();
            shared.ofMapToHashtable();
            shared.ofMapToWeakHashMap();
            shared.ofMapToConcurrentHashMap();
            shared.ofMapToConcurrentSkipListMap();
            shared.ofEnumMapOfMap();
            shared.ofListCopy();
            shared.ofSetCopy();
            shared.ofMax();
            shared.ofMaxBy();
            shared.ofMin();
            shared.ofMinBy();
            shared.ofFrequency();
            shared.ofSearch();
            shared.ofSearchBy();
            shared.ofJoin();
            shared.ofMapCopy();
            shared.ofEnumSetCopy();
            shared.ofView();
            shared.ofWrapper();
            shared.ofConcurrent();
            shared.ofConcurrentKeys();
            shared.ofQueue();
            shared.ofSuperclass();
            shared.toSort();
            shared.toSortBy();
            shared.toShuffle();
            shared.toShuffleBy();
            shared.toReverse();
            shared.toRotate();
            shared.toSwap();
            shared.toFill();
            shared.toReplace();
            shared.ofSubList();
            shared.ofEnumSetComplement();
            shared.ofDelayQueue();
            shared.ofArrayBlockingQueue();
        }, () -> {
            Steps.await(1);
            new ArrayList<>(shared.list);
            Steps.done(2);
            Steps.await(3);
            new LinkedList<>(shared.list);
            Steps.done(4);
            Steps.await(5);
            new Vector<>(shared.list);
            Steps.done(6);
            Steps.await(7);
            new ArrayDeque<>(shared.list);
            Steps.done(8);
            Steps.await(9);
            new PriorityQueue<>(shared.list);
            Steps.done(10);
            Steps.await(11);
            new HashSet<>(shared.list);
            Steps.done(12);
            Steps.await(13);
            new LinkedHashSet<>(shared.list);
            Steps.done(14);
            Steps.await(15);
            new TreeSet<>(shared.list);
            Steps.done(16);
            Steps.await(17);
            new CopyOnWriteArrayList<>(shared.list);
            Steps.done(18);
            Steps.await(19);
            new CopyOnWriteArraySet<>(shared.list);
            Steps.done(20);
            Steps.await(21);
            new ConcurrentLinkedQueue<>(shared.list);
            Steps.done(22);
            Steps.await(23);
            new ConcurrentLinkedDeque<>(shared.list);
            Steps.done(24);
            Steps.await(25);
            new LinkedBlockingQueue<>(shared.list);
            Steps.done(26);
            Steps.await(27);
            new LinkedBlockingDeque<>(shared.list);
            Steps.done(28);
            Steps.await(29);
            new LinkedTransferQueue<>(shared.list);
            Steps.done(30);
            Steps.await(31);
            new PriorityBlockingQueue<>(shared.list);
            Steps.done(32);
            Steps.await(33);
            new ConcurrentSkipListSet<>(shared.list);
            Steps.done(34);
            Steps.await(35);
            new HashMap<>(shared.map);
            Steps.done(36);
            Steps.await(37);
            new LinkedHashMap<>(shared.map);
            Steps.done(38);
            Steps.await(39);
            new TreeMap<>(shared.map);
            Steps.done(40);
            Steps.await(41);
            new IdentityHashMap<>(shared.map);
            Steps.done(42);
            Steps.await(43);
            new Hashtable<>(shared.map);
            Steps.done(44);
            Steps.await(45);
            new WeakHashMap<>(shared.map);
            Steps.done(46);
            Steps.await(47);
            new ConcurrentHashMap<>(shared.map);
            Steps.done(48);
            Steps.await(49);
            new ConcurrentSkipListMap<>(shared.map);
            Steps.done(50);
            Steps.await(51);
            new EnumMap<>(shared.units);
            Steps.done(52);
            Steps.await(53);
            List.copyOf(shared.list);
            Steps.done(54);
            Steps.await(55);
            Set.copyOf(shared.list);
            Steps.done(56);
            Steps.await(57);
            Collections.max(shared.list);
            Steps.done(58);
            Steps.await(59);
            Collections.max(shared.list, Comparator.naturalOrder());
            Steps.done(60);
            Steps.await(61);
            Collections.min(shared.list);
            Steps.done(62);
            Steps.await(63);
            Collections.min(shared.list, Comparator.naturalOrder());
            Steps.done(64);
            Steps.await(65);
            Collections.frequency(shared.list, "k");
            Steps.done(66);
            Steps.await(67);
            Collections.binarySearch(shared.list, "k");
            Steps.done(68);
            Steps.await(69);
            Collections.binarySearch(shared.list, "k", Comparator.naturalOrder());
            Steps.done(70);
            Steps.await(71);
            String.join(" ", shared.list);
            Steps.done(72);
            Steps.await(73);
            Map.copyOf(shared.map);
            Steps.done(74);
            Steps.await(75);
            EnumSet.copyOf(shared.days);
            Steps.done(76);
            Steps.await(77);
            new ArrayList<>(shared.map.keySet());
            Steps.done(78);
            Steps.await(79);
            new ArrayList<>(Collections.unmodifiableList(shared.list));
            Steps.done(80);
            Steps.await(81);
            new HashMap<>(shared.concurrent);
            Steps.done(82);
            Steps.await(83);
            new ArrayList<>(shared.concurrent.keySet());
            Steps.done(84);
            Steps.await(85);
            new ArrayList<>(shared.queue);
            Steps.done(86);
            Steps.await(87);
            new Copy(shared.list);
            Steps.done(88);
            Steps.await(89);
            shared.list.size();
            Steps.done(90);
            Steps.await(91);
            shared.list.size();
            Steps.done(92);
            Steps.await(93);
            shared.list.size();
            Steps.done(94);
            Steps.await(95);
            shared.list.size();
            Steps.done(96);
            Steps.await(97);
            shared.list.size();
            Steps.done(98);
            Steps.await(99);
            shared.list.size();
            Steps.done(100);
            Steps.await(101);
            shared.list.size();
            Steps.done(102);
            Steps.await(103);
            shared.list.size();
            Steps.done(104);
            Steps.await(105);
            shared.list.size();
            Steps.done(106);
            Steps.await(107);
            Collections.indexOfSubList(shared.list, List.of("m"));
            Steps.done(108);
            Steps.await(109);
            EnumSet.complementOf(shared.days);
            Steps.done(110);
            Steps.await(111);
            new DelayQueue<>(shared.waiting);
            Steps.done(112);
            Steps.await(113);
            new ArrayBlockingQueue<>(9, false, shared.waiting);
            Steps.done(114);
        });
        System.out.println(shared.map.size());
    }
}
