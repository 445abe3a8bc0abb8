package violating;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
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
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;
import schedule.Steps;

/**
 * Collections and maps that are arguments of calls of others: another thread changes them between two calls, or comes between one with its receiver and one with its argument.
 */
public class PassedToCollections {
    private final List<String> list = new ArrayList<>(List.of("k", "l"));
    private final Map<String, Integer> map = new HashMap<>(Map.of("k", 1));
    private final Map<TimeUnit, Integer> units = new EnumMap<>(Map.of(TimeUnit.HOURS, 1));
    private final Set<TimeUnit> days = EnumSet.of(TimeUnit.HOURS);
    private final Map<String, Integer> concurrent = new ConcurrentHashMap<>(Map.of("k", 1));
    private final Collection<String> queue = new ConcurrentLinkedQueue<>(List.of("k"));
    private final BitSet bits = BitSet.valueOf(new long[] {1});
    private final BitSet mask = new BitSet();
    private final List<String> sink = new ArrayList<>(List.of("m"));
    private final Map<String, Integer> total = new ConcurrentHashMap<>(Map.of("m", 1));

    /** It does not override what the list does with an argument. */
    private static final class Own extends ArrayList<String> {
        private static final long serialVersionUID = 1;
    }

    // finding: violating.PassedToCollections.toArrayList() unrepeatable read
    void toArrayList() {
        new ArrayList<String>().addAll(list);
        Steps.done(1);
        Steps.await(2);
        new ArrayList<String>().addAll(list);
    }

    // finding: violating.PassedToCollections.toLinkedList() unrepeatable read
    void toLinkedList() {
        new LinkedList<String>().addAll(list);
        Steps.done(3);
        Steps.await(4);
        new LinkedList<String>().addAll(list);
    }

    // finding: violating.PassedToCollections.toVector() unrepeatable read
    void toVector() {
        new Vector<String>().addAll(list);
        Steps.done(5);
        Steps.await(6);
        new Vector<String>().addAll(list);
    }

    // finding: violating.PassedToCollections.toArrayDeque() unrepeatable read
    void toArrayDeque() {
        new ArrayDeque<String>().addAll(list);
        Steps.done(7);
        Steps.await(8);
        new ArrayDeque<String>().addAll(list);
    }

    // finding: violating.PassedToCollections.toPriorityQueue() unrepeatable read
    void toPriorityQueue() {
        new PriorityQueue<String>().addAll(list);
        Steps.done(9);
        Steps.await(10);
        new PriorityQueue<String>().addAll(list);
    }

    // finding: violating.PassedToCollections.toHashSet() unrepeatable read
    void toHashSet() {
        new HashSet<String>().addAll(list);
        Steps.done(11);
        Steps.await(12);
        new HashSet<String>().addAll(list);
    }

    // finding: violating.PassedToCollections.toLinkedHashSet() unrepeatable read
    void toLinkedHashSet() {
        new LinkedHashSet<String>().addAll(list);
        Steps.done(13);
        Steps.await(14);
        new LinkedHashSet<String>().addAll(list);
    }

    // finding: violating.PassedToCollections.toTreeSet() unrepeatable read
    void toTreeSet() {
        new TreeSet<String>().addAll(list);
        Steps.done(15);
        Steps.await(16);
        new TreeSet<String>().addAll(list);
    }

    // finding: violating.PassedToCollections.toEnumSet() unrepeatable read
    void toEnumSet() {
        EnumSet.noneOf(TimeUnit.class).addAll(days);
        Steps.done(17);
        Steps.await(18);
        EnumSet.noneOf(TimeUnit.class).addAll(days);
    }

    // finding: violating.PassedToCollections.toCopyOnWriteArrayList() unrepeatable read
    void toCopyOnWriteArrayList() {
        new CopyOnWriteArrayList<String>().addAll(list);
        Steps.done(19);
        Steps.await(20);
        new CopyOnWriteArrayList<String>().addAll(list);
    }

    // finding: violating.PassedToCollections.toCopyOnWriteArraySet() unrepeatable read
    void toCopyOnWriteArraySet() {
        new CopyOnWriteArraySet<String>().addAll(list);
        Steps.done(21);
        Steps.await(22);
        new CopyOnWriteArraySet<String>().addAll(list);
    }

    // finding: violating.PassedToCollections.toConcurrentLinkedQueue() unrepeatable read
    void toConcurrentLinkedQueue() {
        new ConcurrentLinkedQueue<String>().addAll(list);
        Steps.done(23);
        Steps.await(24);
        new ConcurrentLinkedQueue<String>().addAll(list);
    }

    // finding: violating.PassedToCollections.toConcurrentLinkedDeque() unrepeatable read
    void toConcurrentLinkedDeque() {
        new ConcurrentLinkedDeque<String>().addAll(list);
        Steps.done(25);
        Steps.await(26);
        new ConcurrentLinkedDeque<String>().addAll(list);
    }

    // finding: violating.PassedToCollections.toArrayBlockingQueue() unrepeatable read
    void toArrayBlockingQueue() {
        new ArrayBlockingQueue<String>(99).addAll(list);
        Steps.done(27);
        Steps.await(28);
        new ArrayBlockingQueue<String>(99).addAll(list);
    }

    // finding: violating.PassedToCollections.toLinkedBlockingQueue() unrepeatable read
    void toLinkedBlockingQueue() {
        new LinkedBlockingQueue<String>().addAll(list);
        Steps.done(29);
        Steps.await(30);
        new LinkedBlockingQueue<String>().addAll(list);
    }

    // finding: violating.PassedToCollections.toLinkedBlockingDeque() unrepeatable read
    void toLinkedBlockingDeque() {
        new LinkedBlockingDeque<String>().addAll(list);
        Steps.done(31);
        Steps.await(32);
        new LinkedBlockingDeque<String>().addAll(list);
    }

    // finding: violating.PassedToCollections.toLinkedTransferQueue() unrepeatable read
    void toLinkedTransferQueue() {
        new LinkedTransferQueue<String>().addAll(list);
        Steps.done(33);
        Steps.await(34);
        new LinkedTransferQueue<String>().addAll(list);
    }

    // finding: violating.PassedToCollections.toPriorityBlockingQueue() unrepeatable read
    void toPriorityBlockingQueue() {
        new PriorityBlockingQueue<String>().addAll(list);
        Steps.done(35);
        Steps.await(36);
        new PriorityBlockingQueue<String>().addAll(list);
    }

    // finding: violating.PassedToCollections.toConcurrentSkipListSet() unrepeatable read
    void toConcurrentSkipListSet() {
        new ConcurrentSkipListSet<String>().addAll(list);
        Steps.done(37);
        Steps.await(38);
        new ConcurrentSkipListSet<String>().addAll(list);
    }

    // finding: violating.PassedToCollections.atArrayList() unrepeatable read
    void atArrayList() {
        new ArrayList<String>().addAll(0, list);
        Steps.done(39);
        Steps.await(40);
        new ArrayList<String>().addAll(0, list);
    }

    // finding: violating.PassedToCollections.atLinkedList() unrepeatable read
    void atLinkedList() {
        new LinkedList<String>().addAll(0, list);
        Steps.done(41);
        Steps.await(42);
        new LinkedList<String>().addAll(0, list);
    }

    // finding: violating.PassedToCollections.atVector() unrepeatable read
    void atVector() {
        new Vector<String>().addAll(0, list);
        Steps.done(43);
        Steps.await(44);
        new Vector<String>().addAll(0, list);
    }

    // finding: violating.PassedToCollections.atCopyOnWriteArrayList() unrepeatable read
    void atCopyOnWriteArrayList() {
        new CopyOnWriteArrayList<String>().addAll(0, list);
        Steps.done(45);
        Steps.await(46);
        new CopyOnWriteArrayList<String>().addAll(0, list);
    }

    // finding: violating.PassedToCollections.toHashMap() unrepeatable read
    void toHashMap() {
        new HashMap<String, Integer>().putAll(map);
        Steps.done(47);
        Steps.await(48);
        new HashMap<String, Integer>().putAll(map);
    }

    // finding: violating.PassedToCollections.toLinkedHashMap() unrepeatable read
    void toLinkedHashMap() {
        new LinkedHashMap<String, Integer>().putAll(map);
        Steps.done(49);
        Steps.await(50);
        new LinkedHashMap<String, Integer>().putAll(map);
    }

    // finding: violating.PassedToCollections.toTreeMap() unrepeatable read
    void toTreeMap() {
        new TreeMap<String, Integer>().putAll(map);
        Steps.done(51);
        Steps.await(52);
        new TreeMap<String, Integer>().putAll(map);
    }

    // finding: violating.PassedToCollections.toIdentityHashMap() unrepeatable read
    void toIdentityHashMap() {
        new IdentityHashMap<String, Integer>().putAll(map);
        Steps.done(53);
        Steps.await(54);
        new IdentityHashMap<String, Integer>().putAll(map);
    }

    // finding: violating.PassedToCollections.toWeakHashMap() unrepeatable read
    void toWeakHashMap() {
        new WeakHashMap<String, Integer>().putAll(map);
        Steps.done(55);
        Steps.await(56);
        new WeakHashMap<String, Integer>().putAll(map);
    }

    // finding: violating.PassedToCollections.toEnumMap() unrepeatable read
    void toEnumMap() {
        new EnumMap<TimeUnit, Integer>(TimeUnit.class).putAll(units);
        Steps.done(57);
        Steps.await(58);
        new EnumMap<TimeUnit, Integer>(TimeUnit.class).putAll(units);
    }

    // finding: violating.PassedToCollections.toHashtable() unrepeatable read
    void toHashtable() {
        new Hashtable<String, Integer>().putAll(map);
        Steps.done(59);
        Steps.await(60);
        new Hashtable<String, Integer>().putAll(map);
    }

    // finding: violating.PassedToCollections.toConcurrentHashMap() unrepeatable read
    void toConcurrentHashMap() {
        new ConcurrentHashMap<String, Integer>().putAll(map);
        Steps.done(61);
        Steps.await(62);
        new ConcurrentHashMap<String, Integer>().putAll(map);
    }

    // finding: violating.PassedToCollections.toConcurrentSkipListMap() unrepeatable read
    void toConcurrentSkipListMap() {
        new ConcurrentSkipListMap<String, Integer>().putAll(map);
        Steps.done(63);
        Steps.await(64);
        new ConcurrentSkipListMap<String, Integer>().putAll(map);
    }

    // finding: violating.PassedToCollections.toOr() unrepeatable read
    void toOr() {
        new BitSet().or(bits);
        Steps.done(65);
        Steps.await(66);
        new BitSet().or(bits);
    }

    // finding: violating.PassedToCollections.toAnd() unrepeatable read
    void toAnd() {
        new BitSet().and(bits);
        Steps.done(67);
        Steps.await(68);
        new BitSet().and(bits);
    }

    // finding: violating.PassedToCollections.toXor() unrepeatable read
    void toXor() {
        new BitSet().xor(bits);
        Steps.done(69);
        Steps.await(70);
        new BitSet().xor(bits);
    }

    // finding: violating.PassedToCollections.toAndNot() unrepeatable read
    void toAndNot() {
        new BitSet().andNot(bits);
        Steps.done(71);
        Steps.await(72);
        new BitSet().andNot(bits);
    }

    // finding: violating.PassedToCollections.toIntersects() unrepeatable read
    void toIntersects() {
        new BitSet().intersects(bits);
        Steps.done(73);
        Steps.await(74);
        new BitSet().intersects(bits);
    }

    // finding: violating.PassedToCollections.ofConcurrentKeys() inconsistent view
    void ofConcurrentKeys() {
        new ArrayList<String>().addAll(concurrent.keySet());
        Steps.done(75);
        Steps.await(76);
        new ArrayList<String>().addAll(concurrent.keySet());
    }

    // finding: violating.PassedToCollections.ofQueue() unrepeatable read
    void ofQueue() {
        new LinkedBlockingQueue<String>().addAll(queue);
        Steps.done(77);
        Steps.await(78);
        new LinkedBlockingQueue<String>().addAll(queue);
    }

    // finding: violating.PassedToCollections.ofConcurrent() unrepeatable read
    void ofConcurrent() {
        new ConcurrentHashMap<String, Integer>().putAll(concurrent);
        Steps.done(79);
        Steps.await(80);
        new ConcurrentHashMap<String, Integer>().putAll(concurrent);
    }

    // finding: violating.PassedToCollections.ofKeys() unrepeatable read
    void ofKeys() {
        new HashSet<String>().addAll(map.keySet());
        Steps.done(81);
        Steps.await(82);
        new HashSet<String>().addAll(map.keySet());
    }

    // finding: violating.PassedToCollections.ofUnmodifiable() unrepeatable read
    void ofUnmodifiable() {
        new HashSet<String>().addAll(Collections.unmodifiableList(list));
        Steps.done(83);
        Steps.await(84);
        new HashSet<String>().addAll(Collections.unmodifiableList(list));
    }

    // finding: violating.PassedToCollections.toOwn() unrepeatable read
    void toOwn() {
        new Own().addAll(list);
        Steps.done(85);
        Steps.await(86);
        new Own().addAll(list);
    }

    // finding: violating.PassedToCollections.toChecked() unrepeatable read
    void toChecked() {
        Collections.checkedList(new ArrayList<String>(), String.class).addAll(list);
        Steps.done(87);
        Steps.await(88);
        Collections.checkedList(new ArrayList<String>(), String.class).addAll(list);
    }

    // finding: violating.PassedToCollections.keysThenReceiver() interference
    void keysThenReceiver() {
        concurrent.put("n", 1);
        Steps.done(89);
        Steps.await(90);
        sink.size();
    }

    // finding: violating.PassedToCollections.queueThenReceiver() interference
    void queueThenReceiver() {
        queue.add("n");
        Steps.done(91);
        Steps.await(92);
        sink.size();
    }

    // finding: violating.PassedToCollections.bitsThenReceiver() interference
    void bitsThenReceiver() {
        bits.set(3);
        Steps.done(93);
        Steps.await(94);
        mask.get(1);
    }

    // finding: violating.PassedToCollections.argumentThenReceiver() interference
    void argumentThenReceiver() {
        list.add("n");
        Steps.done(95);
        Steps.await(96);
        sink.size();
    }

    // finding: violating.PassedToCollections.receiverThenArgument() inconsistent view
    void receiverThenArgument() {
        sink.size();
        Steps.done(97);
        Steps.await(98);
        list.add("o");
    }

    // finding: violating.PassedToCollections.receiverIsWritten() unrepeatable read
    void receiverIsWritten() {
        sink.size();
        Steps.done(99);
        Steps.await(100);
        sink.size();
    }

    public static void main(String[] args) throws InterruptedException {
        PassedToCollections shared = new PassedToCollections();
        Steps.run(() -> {
            shared.toArrayList();
            shared.toLinkedList();
            shared.toVector();
            shared.toArrayDeque();
            shared.toPriorityQueue();
            shared.toHashSet();
            shared.toLinkedHashSet();
            shared.toTreeSet();
            shared.toEnumSet();
            shared.toCopyOnWriteArrayList();
            shared.toCopyOnWriteArraySet();
            shared.toConcurrentLinkedQueue();
            shared.toConcurrentLinkedDeque();
            shared.toArrayBlockingQueue();
            shared.toLinkedBlockingQueue();
            shared.toLinkedBlockingDeque();
            shared.toLinkedTransferQueue();
            shared.toPriorityBlockingQueue();
            shared.toConcurrentSkipListSet();
            shared.atArrayList();
            shared.atLinkedList();
            shared.atVector();
            shared.atCopyOnWriteArrayList();
            shared.toHashMap();
            shared.toLinkedHashMap();
            shared.toTreeMap();
            shared.toIdentityHashMap();
            shared.toWeakHashMap();
            shared.toEnumMap();
            shared.toHashtable();
            shared.toConcurrentHashMap();
            shared.toConcurrentSkipListMap();
            shared.toOr();
            shared.toAnd();
            shared.toXor();
            shared.toAndNot();
            shared.toIntersects();
            shared.ofConcurrentKeys();
            shared.ofQueue();
            shared.ofConcurrent();
            shared.ofKeys();
            shared.ofUnmodifiable();
            shared.toOwn();
            shared.toChecked();
            shared.keysThenReceiver();
            shared.queueThenReceiver();
            shared.bitsThenReceiver();
            shared.argumentThenReceiver();
            shared.receiverThenArgument();
            shared.receiverIsWritten();
        }, () -> {
            Steps.await(1);
            shared.list.add("other");
            Steps.done(2);
            Steps.await(3);
            shared.list.add("other");
            Steps.done(4);
            Steps.await(5);
            shared.list.add("other");
            Steps.done(6);
            Steps.await(7);
            shared.list.add("other");
            Steps.done(8);
            Steps.await(9);
            shared.list.add("other");
            Steps.done(10);
            Steps.await(11);
            shared.list.add("other");
            Steps.done(12);
            Steps.await(13);
            shared.list.add("other");
            Steps.done(14);
            Steps.await(15);
            shared.list.add("other");
            Steps.done(16);
            Steps.await(17);
            shared.days.add(TimeUnit.DAYS);
            Steps.done(18);
            Steps.await(19);
            shared.list.add("other");
            Steps.done(20);
            Steps.await(21);
            shared.list.add("other");
            Steps.done(22);
            Steps.await(23);
            shared.list.add("other");
            Steps.done(24);
            Steps.await(25);
            shared.list.add("other");
            Steps.done(26);
            Steps.await(27);
            shared.list.add("other");
            Steps.done(28);
            Steps.await(29);
            shared.list.add("other");
            Steps.done(30);
            Steps.await(31);
            shared.list.add("other");
            Steps.done(32);
            Steps.await(33);
            shared.list.add("other");
            Steps.done(34);
            Steps.await(35);
            shared.list.add("other");
            Steps.done(36);
            Steps.await(37);
            shared.list.add("other");
            Steps.done(38);
            Steps.await(39);
            shared.list.add("other");
            Steps.done(40);
            Steps.await(41);
            shared.list.add("other");
            Steps.done(42);
            Steps.await(43);
            shared.list.add("other");
            Steps.done(44);
            Steps.await(45);
            shared.list.add("other");
            Steps.done(46);
            Steps.await(47);
            shared.map.put("other", 2);
            Steps.done(48);
            Steps.await(49);
            shared.map.put("other", 2);
            Steps.done(50);
            Steps.await(51);
            shared.map.put("other", 2);
            Steps.done(52);
            Steps.await(53);
            shared.map.put("other", 2);
            Steps.done(54);
            Steps.await(55);
            shared.map.put("other", 2);
            Steps.done(56);
            Steps.await(57);
            shared.units.put(TimeUnit.DAYS, 2);
            Steps.done(58);
            Steps.await(59);
            shared.map.put("other", 2);
            Steps.done(60);
            Steps.await(61);
            shared.map.put("other", 2);
            Steps.done(62);
            Steps.await(63);
            shared.map.put("other", 2);
            Steps.done(64);
            Steps.await(65);
            shared.bits.set(9);
            Steps.done(66);
            Steps.await(67);
            shared.bits.set(9);
            Steps.done(68);
            Steps.await(69);
            shared.bits.set(9);
            Steps.done(70);
            Steps.await(71);
            shared.bits.set(9);
            Steps.done(72);
            Steps.await(73);
            shared.bits.set(9);
            Steps.done(74);
            Steps.await(75);
            shared.concurrent.put("other", 2);
            Steps.done(76);
            Steps.await(77);
            shared.queue.add("other");
            Steps.done(78);
            Steps.await(79);
            shared.concurrent.put("other", 2);
            Steps.done(80);
            Steps.await(81);
            shared.map.put("other", 2);
            Steps.done(82);
            Steps.await(83);
            shared.list.add("other");
            Steps.done(84);
            Steps.await(85);
            shared.list.add("other");
            Steps.done(86);
            Steps.await(87);
            shared.list.add("other");
            Steps.done(88);
            Steps.await(89);
            shared.sink.addAll(shared.concurrent.keySet());
            Steps.done(90);
            Steps.await(91);
            shared.sink.addAll(shared.queue);
            Steps.done(92);
            Steps.await(93);
            shared.mask.or(shared.bits);
            Steps.done(94);
            Steps.await(95);
            shared.sink.addAll(shared.list);
            Steps.done(96);
            Steps.await(97);
            shared.sink.addAll(shared.list);
            Steps.done(98);
            Steps.await(99);
            shared.sink.addAll(shared.list);
            Steps.done(100);
        });
        System.out.println(shared.map.size());
    }
}
