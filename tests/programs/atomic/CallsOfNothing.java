package atomic;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import schedule.Steps;

/**
 * Calls that do not look at the object, because their argument is empty, is the object itself or is of another kind. So it does not matter that another thread changes it
 * between such a call and one that reads it. {@code violating.CallsOfSomething} has the same calls with other arguments.
 */
public class CallsOfNothing {
    private final List<String> list = new ArrayList<>(List.of("k"));
    private final Set<String> set = new HashSet<>(Set.of("k"));
    private final Map<String, Integer> map = new HashMap<>(Map.of("k", 1));
    private final Map<String, Integer> concurrent = new ConcurrentHashMap<>(Map.of("k", 1));
    private final BitSet bits = BitSet.valueOf(new long[] {1});
    private final Collection<String> deque = new ArrayDeque<>(List.of("k"));
    private final Collection<String> queue = new ConcurrentLinkedQueue<>(List.of("k"));
    private final CopyOnWriteArrayList<String> copied = new CopyOnWriteArrayList<>(List.of("k"));
    private final List<String> inner = new ArrayList<>(List.of("k"));
    private final List<String> locked = Collections.synchronizedList(inner);

    int listContainsAll() {
        list.containsAll(List.of());
        Steps.done(1);
        Steps.await(2);
        return list.size();
    }

    int listContainsAllOfOthers() {
        list.containsAll(new ArrayList<>());
        Steps.done(3);
        Steps.await(4);
        return list.size();
    }

    int queueContainsAll() {
        queue.containsAll(Set.of());
        Steps.done(5);
        Steps.await(6);
        return queue.size();
    }

    int listEqualsItself() {
        list.equals(list);
        Steps.done(7);
        Steps.await(8);
        return list.size();
    }

    int listEqualsOthers() {
        list.equals(Set.of("k"));
        Steps.done(9);
        Steps.await(10);
        return list.size();
    }

    int listEqualsNull() {
        list.equals(null);
        Steps.done(11);
        Steps.await(12);
        return list.size();
    }

    int setEqualsItself() {
        set.equals(set);
        Steps.done(13);
        Steps.await(14);
        return set.size();
    }

    int setEqualsOthers() {
        set.equals(List.of("k"));
        Steps.done(15);
        Steps.await(16);
        return set.size();
    }

    int mapEqualsItself() {
        map.equals(map);
        Steps.done(17);
        Steps.await(18);
        return map.size();
    }

    int mapEqualsOthers() {
        map.equals(Set.of());
        Steps.done(19);
        Steps.await(20);
        return map.size();
    }

    int keysEqualOthers() {
        map.keySet().equals(List.of());
        Steps.done(21);
        Steps.await(22);
        return map.size();
    }

    int concurrentEquals() {
        concurrent.equals(concurrent);
        Steps.done(23);
        Steps.await(24);
        return concurrent.size();
    }

    int bitsEqualThemselves() {
        bits.equals(bits);
        Steps.done(25);
        Steps.await(26);
        return bits.size();
    }

    int bitsEqualOthers() {
        bits.equals(Set.of());
        Steps.done(27);
        Steps.await(28);
        return bits.size();
    }

    int wrapperEquals() {
        Collections.unmodifiableList(list).equals(list);
        Steps.done(29);
        Steps.await(30);
        return list.size();
    }

    int lockedEquals() {
        locked.equals(inner);
        Steps.done(31);
        Steps.await(32);
        return locked.size();
    }

    int dequeEquals() {
        deque.equals(List.of());
        Steps.done(33);
        Steps.await(34);
        return deque.size();
    }

    int dequeHashCode() {
        deque.hashCode();
        Steps.done(35);
        Steps.await(36);
        return deque.size();
    }

    int wrapperHashCode() {
        Collections.unmodifiableCollection(list).hashCode();
        Steps.done(37);
        Steps.await(38);
        return list.size();
    }

    int wrapperEqualsOthers() {
        Collections.unmodifiableCollection(list).equals(List.of());
        Steps.done(39);
        Steps.await(40);
        return list.size();
    }

    int valuesHashCode() {
        concurrent.values().hashCode();
        Steps.done(41);
        Steps.await(42);
        return concurrent.size();
    }

    int mapPutAll() {
        map.putAll(Map.of());
        Steps.done(43);
        Steps.await(44);
        return map.size();
    }

    int mapPutAllOfOthers() {
        map.putAll(new HashMap<>());
        Steps.done(45);
        Steps.await(46);
        return map.size();
    }

    int mapPutAllOfLocked() {
        map.putAll(Collections.synchronizedMap(new TreeMap<>()));
        Steps.done(47);
        Steps.await(48);
        return map.size();
    }

    int mapPutAllOfItself() {
        map.putAll(Collections.emptyMap());
        Steps.done(49);
        Steps.await(50);
        return map.size();
    }

    int listAddAll() {
        list.addAll(List.of());
        Steps.done(51);
        Steps.await(52);
        return list.size();
    }

    int listAddAllAtIndex() {
        list.addAll(Collections.unmodifiableList(new ArrayList<>()));
        Steps.done(53);
        Steps.await(54);
        return list.size();
    }

    int dequeAddAll() {
        deque.addAll(List.of());
        Steps.done(55);
        Steps.await(56);
        return deque.size();
    }

    int setAddAll() {
        set.addAll(List.of());
        Steps.done(57);
        Steps.await(58);
        return set.size();
    }

    int setAddAllOfOthers() {
        set.addAll(new ArrayList<>());
        Steps.done(59);
        Steps.await(60);
        return set.size();
    }

    int queueAddAll() {
        queue.addAll(List.of());
        Steps.done(61);
        Steps.await(62);
        return queue.size();
    }

    int copiedAddAllAbsent() {
        copied.addAllAbsent(List.of());
        Steps.done(63);
        Steps.await(64);
        return copied.size();
    }

    int bitsOrThemselves() {
        bits.or(bits);
        Steps.done(65);
        Steps.await(66);
        return bits.size();
    }

    int bitsOr() {
        bits.or(new BitSet());
        Steps.done(67);
        Steps.await(68);
        return bits.size();
    }

    int bitsAnd() {
        bits.and(bits);
        Steps.done(69);
        Steps.await(70);
        return bits.size();
    }

    int bitsXor() {
        bits.xor(new BitSet());
        Steps.done(71);
        Steps.await(72);
        return bits.size();
    }

    int bitsAndNot() {
        bits.andNot(new BitSet());
        Steps.done(73);
        Steps.await(74);
        return bits.size();
    }

    int bitsAndNotOthers() {
        bits.andNot(BitSet.valueOf(new byte[0]));
        Steps.done(75);
        Steps.await(76);
        return bits.size();
    }

    int bitsIntersect() {
        bits.intersects(new BitSet());
        Steps.done(77);
        Steps.await(78);
        return bits.size();
    }

    public static void main(String[] args) throws InterruptedException {
        CallsOfNothing shared = new CallsOfNothing();
        Steps.run(() -> {
            int sum = 0;
            sum += shared.listContainsAll();
            sum += shared.listContainsAllOfOthers();
            sum += shared.queueContainsAll();
            sum += shared.listEqualsItself();
            sum += shared.listEqualsOthers();
            sum += shared.listEqualsNull();
            sum += shared.setEqualsItself();
            sum += shared.setEqualsOthers();
            sum += shared.mapEqualsItself();
            sum += shared.mapEqualsOthers();
            sum += shared.keysEqualOthers();
            sum += shared.concurrentEquals();
            sum += shared.bitsEqualThemselves();
            sum += shared.bitsEqualOthers();
            sum += shared.wrapperEquals();
            sum += shared.lockedEquals();
            sum += shared.dequeEquals();
            sum += shared.dequeHashCode();
            sum += shared.wrapperHashCode();
            sum += shared.wrapperEqualsOthers();
            sum += shared.valuesHashCode();
            sum += shared.mapPutAll();
            sum += shared.mapPutAllOfOthers();
            sum += shared.mapPutAllOfLocked();
            sum += shared.mapPutAllOfItself();
            sum += shared.listAddAll();
            sum += shared.listAddAllAtIndex();
            sum += shared.dequeAddAll();
            sum += shared.setAddAll();
            sum += shared.setAddAllOfOthers();
            sum += shared.queueAddAll();
            sum += shared.copiedAddAllAbsent();
            sum += shared.bitsOrThemselves();
            sum += shared.bitsOr();
            sum += shared.bitsAnd();
            sum += shared.bitsXor();
            sum += shared.bitsAndNot();
            sum += shared.bitsAndNotOthers();
            sum += shared.bitsIntersect();
            System.out.println(sum);
        }, () -> {
            Steps.await(1);
            shared.list.size();
            shared.list.add("listContainsAll");
            Steps.done(2);
            Steps.await(3);
            shared.list.size();
            shared.list.add("listContainsAllOfOthers");
            Steps.done(4);
            Steps.await(5);
            shared.queue.size();
            shared.queue.add("queueContainsAll");
            Steps.done(6);
            Steps.await(7);
            shared.list.size();
            shared.list.add("listEqualsItself");
            Steps.done(8);
            Steps.await(9);
            shared.list.size();
            shared.list.add("listEqualsOthers");
            Steps.done(10);
            Steps.await(11);
            shared.list.size();
            shared.list.add("listEqualsNull");
            Steps.done(12);
            Steps.await(13);
            shared.set.size();
            shared.set.add("setEqualsItself");
            Steps.done(14);
            Steps.await(15);
            shared.set.size();
            shared.set.add("setEqualsOthers");
            Steps.done(16);
            Steps.await(17);
            shared.map.size();
            shared.map.put("other", 2);
            Steps.done(18);
            Steps.await(19);
            shared.map.size();
            shared.map.put("other", 2);
            Steps.done(20);
            Steps.await(21);
            shared.map.size();
            shared.map.put("other", 2);
            Steps.done(22);
            Steps.await(23);
            shared.concurrent.size();
            shared.concurrent.put("concurrentEquals", 2);
            Steps.done(24);
            Steps.await(25);
            shared.bits.size();
            shared.bits.set(9);
            Steps.done(26);
            Steps.await(27);
            shared.bits.size();
            shared.bits.set(9);
            Steps.done(28);
            Steps.await(29);
            shared.list.size();
            shared.list.add("wrapperEquals");
            Steps.done(30);
            Steps.await(31);
            shared.locked.size();
            shared.locked.add("lockedEquals");
            Steps.done(32);
            Steps.await(33);
            shared.deque.size();
            shared.deque.add("dequeEquals");
            Steps.done(34);
            Steps.await(35);
            shared.deque.size();
            shared.deque.add("dequeHashCode");
            Steps.done(36);
            Steps.await(37);
            shared.list.size();
            shared.list.add("wrapperHashCode");
            Steps.done(38);
            Steps.await(39);
            shared.list.size();
            shared.list.add("wrapperEqualsOthers");
            Steps.done(40);
            Steps.await(41);
            shared.concurrent.size();
            shared.concurrent.put("valuesHashCode", 2);
            Steps.done(42);
            Steps.await(43);
            shared.map.size();
            shared.map.put("other", 2);
            Steps.done(44);
            Steps.await(45);
            shared.map.size();
            shared.map.put("other", 2);
            Steps.done(46);
            Steps.await(47);
            shared.map.size();
            shared.map.put("other", 2);
            Steps.done(48);
            Steps.await(49);
            shared.map.size();
            shared.map.put("other", 2);
            Steps.done(50);
            Steps.await(51);
            shared.list.size();
            shared.list.add("listAddAll");
            Steps.done(52);
            Steps.await(53);
            shared.list.size();
            shared.list.add("listAddAllAtIndex");
            Steps.done(54);
            Steps.await(55);
            shared.deque.size();
            shared.deque.add("dequeAddAll");
            Steps.done(56);
            Steps.await(57);
            shared.set.size();
            shared.set.add("setAddAll");
            Steps.done(58);
            Steps.await(59);
            shared.set.size();
            shared.set.add("setAddAllOfOthers");
            Steps.done(60);
            Steps.await(61);
            shared.queue.size();
            shared.queue.add("queueAddAll");
            Steps.done(62);
            Steps.await(63);
            shared.copied.size();
            shared.copied.add("copiedAddAllAbsent");
            Steps.done(64);
            Steps.await(65);
            shared.bits.size();
            shared.bits.set(9);
            Steps.done(66);
            Steps.await(67);
            shared.bits.size();
            shared.bits.set(9);
            Steps.done(68);
            Steps.await(69);
            shared.bits.size();
            shared.bits.set(9);
            Steps.done(70);
            Steps.await(71);
            shared.bits.size();
            shared.bits.set(9);
            Steps.done(72);
            Steps.await(73);
            shared.bits.size();
            shared.bits.set(9);
            Steps.done(74);
            Steps.await(75);
            shared.bits.size();
            shared.bits.set(9);
            Steps.done(76);
            Steps.await(77);
            shared.bits.size();
            shared.bits.set(9);
            Steps.done(78);
        });
    }
}
