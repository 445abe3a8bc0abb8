package violating;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import schedule.Steps;

/**
 * Calls that look at an object, or change it, because their argument has elements or is of the kind that it is compared with. Another thread changes the object between
 * such a call and one that reads it. {@code atomic.CallsOfNothing} has the same calls with arguments with which they do nothing.
 */
public class CallsOfSomething {
    private final List<String> list = new ArrayList<>(List.of("k"));
    private final Set<String> set = new HashSet<>(Set.of("k"));
    private final Map<String, Integer> map = new HashMap<>(Map.of("k", 1));
    private final Map<String, Integer> concurrent = new ConcurrentHashMap<>(Map.of("k", 1));
    private final BitSet bits = BitSet.valueOf(new long[] {1});
    private final Collection<String> deque = new ArrayDeque<>(List.of("k"));
    private final Collection<String> queue = new ConcurrentLinkedQueue<>(List.of("k"));
    private final CopyOnWriteArrayList<String> copied = new CopyOnWriteArrayList<>(List.of("k"));
    private final List<String> locked = Collections.synchronizedList(new ArrayList<>(List.of("k")));

    // finding: violating.CallsOfSomething.listContainsAll() unrepeatable read
    int listContainsAll() {
        list.containsAll(List.of("k"));
        Steps.done(1);
        Steps.await(2);
        return list.size();
    }

    // finding: violating.CallsOfSomething.listContainsAllOfOthers() unrepeatable read
    int listContainsAllOfOthers() {
        list.containsAll(new ArrayList<>(List.of("z")));
        Steps.done(3);
        Steps.await(4);
        return list.size();
    }

    // finding: violating.CallsOfSomething.queueContainsAll() unrepeatable read
    int queueContainsAll() {
        queue.containsAll(Set.of("k"));
        Steps.done(5);
        Steps.await(6);
        return queue.size();
    }

    // finding: violating.CallsOfSomething.listEqualsItself() unrepeatable read
    int listEqualsItself() {
        list.equals(List.of("z"));
        Steps.done(7);
        Steps.await(8);
        return list.size();
    }

    // finding: violating.CallsOfSomething.listEqualsOthers() unrepeatable read
    int listEqualsOthers() {
        list.equals(List.of());
        Steps.done(9);
        Steps.await(10);
        return list.size();
    }

    // finding: violating.CallsOfSomething.listEqualsNull() unrepeatable read
    int listEqualsNull() {
        list.equals(new LinkedList<>());
        Steps.done(11);
        Steps.await(12);
        return list.size();
    }

    // finding: violating.CallsOfSomething.setEqualsItself() unrepeatable read
    int setEqualsItself() {
        set.equals(Set.of("z"));
        Steps.done(13);
        Steps.await(14);
        return set.size();
    }

    // finding: violating.CallsOfSomething.setEqualsOthers() unrepeatable read
    int setEqualsOthers() {
        set.equals(Set.of());
        Steps.done(15);
        Steps.await(16);
        return set.size();
    }

    // finding: violating.CallsOfSomething.mapEqualsItself() unrepeatable read
    int mapEqualsItself() {
        map.equals(Map.of("z", 1));
        Steps.done(17);
        Steps.await(18);
        return map.size();
    }

    // finding: violating.CallsOfSomething.mapEqualsOthers() unrepeatable read
    int mapEqualsOthers() {
        map.equals(Map.of());
        Steps.done(19);
        Steps.await(20);
        return map.size();
    }

    // finding: violating.CallsOfSomething.keysEqualOthers() unrepeatable read
    int keysEqualOthers() {
        map.keySet().equals(Set.of());
        Steps.done(21);
        Steps.await(22);
        return map.size();
    }

    // finding: violating.CallsOfSomething.concurrentEquals() unrepeatable read
    int concurrentEquals() {
        concurrent.equals(new HashMap<>(Map.of("k", 1)));
        Steps.done(23);
        Steps.await(24);
        return concurrent.size();
    }

    // finding: violating.CallsOfSomething.bitsEqualThemselves() unrepeatable read
    int bitsEqualThemselves() {
        bits.equals(new BitSet());
        Steps.done(25);
        Steps.await(26);
        return bits.size();
    }

    // finding: violating.CallsOfSomething.bitsEqualOthers() unrepeatable read
    int bitsEqualOthers() {
        bits.equals(BitSet.valueOf(new long[] {1}));
        Steps.done(27);
        Steps.await(28);
        return bits.size();
    }

    // finding: violating.CallsOfSomething.wrapperEquals() unrepeatable read
    int wrapperEquals() {
        Collections.unmodifiableList(list).equals(List.of());
        Steps.done(29);
        Steps.await(30);
        return list.size();
    }

    // finding: violating.CallsOfSomething.lockedEquals() unrepeatable read
    int lockedEquals() {
        locked.equals(List.of());
        Steps.done(31);
        Steps.await(32);
        return locked.size();
    }

    // finding: violating.CallsOfSomething.dequeEquals() unrepeatable read
    int dequeEquals() {
        deque.contains("z");
        Steps.done(33);
        Steps.await(34);
        return deque.size();
    }

    // finding: violating.CallsOfSomething.dequeHashCode() unrepeatable read
    int dequeHashCode() {
        deque.toArray();
        Steps.done(35);
        Steps.await(36);
        return deque.size();
    }

    // finding: violating.CallsOfSomething.wrapperHashCode() unrepeatable read
    int wrapperHashCode() {
        Collections.unmodifiableList(list).hashCode();
        Steps.done(37);
        Steps.await(38);
        return list.size();
    }

    // finding: violating.CallsOfSomething.wrapperEqualsOthers() unrepeatable read
    int wrapperEqualsOthers() {
        Collections.unmodifiableCollection(list).contains("z");
        Steps.done(39);
        Steps.await(40);
        return list.size();
    }

    // finding: violating.CallsOfSomething.valuesHashCode() unrepeatable read
    int valuesHashCode() {
        concurrent.keySet().hashCode();
        Steps.done(41);
        Steps.await(42);
        return concurrent.size();
    }

    // finding: violating.CallsOfSomething.mapPutAll() overwritten write
    int mapPutAll() {
        map.putAll(Map.of("k", 1));
        Steps.done(43);
        Steps.await(44);
        return map.size();
    }

    // finding: violating.CallsOfSomething.mapPutAllOfOthers() overwritten write
    int mapPutAllOfOthers() {
        map.putAll(new HashMap<>(Map.of("k", 1)));
        Steps.done(45);
        Steps.await(46);
        return map.size();
    }

    // finding: violating.CallsOfSomething.mapPutAllOfLocked() overwritten write
    int mapPutAllOfLocked() {
        map.putAll(Collections.synchronizedMap(new TreeMap<>(Map.of("k", 1))));
        Steps.done(47);
        Steps.await(48);
        return map.size();
    }

    // finding: violating.CallsOfSomething.mapPutAllOfItself() overwritten write
    int mapPutAllOfItself() {
        map.putAll(map);
        Steps.done(49);
        Steps.await(50);
        return map.size();
    }

    // finding: violating.CallsOfSomething.listAddAll() overwritten write
    int listAddAll() {
        list.addAll(List.of("m"));
        Steps.done(51);
        Steps.await(52);
        return list.size();
    }

    // finding: violating.CallsOfSomething.listAddAllAtIndex() unrepeatable read
    int listAddAllAtIndex() {
        list.addAll(0, List.of());
        Steps.done(53);
        Steps.await(54);
        return list.size();
    }

    // finding: violating.CallsOfSomething.dequeAddAll() overwritten write
    int dequeAddAll() {
        deque.addAll(new ArrayList<>(List.of("m")));
        Steps.done(55);
        Steps.await(56);
        return deque.size();
    }

    // finding: violating.CallsOfSomething.setAddAll() unrepeatable read
    int setAddAll() {
        set.addAll(List.of("k"));
        Steps.done(57);
        Steps.await(58);
        return set.size();
    }

    // finding: violating.CallsOfSomething.setAddAllOfOthers() unrepeatable read
    int setAddAllOfOthers() {
        set.addAll(Collections.unmodifiableSet(Set.of("k")));
        Steps.done(59);
        Steps.await(60);
        return set.size();
    }

    // finding: violating.CallsOfSomething.queueAddAll() interference
    int queueAddAll() {
        queue.addAll(List.of("m"));
        Steps.done(61);
        Steps.await(62);
        return queue.size();
    }

    // finding: violating.CallsOfSomething.copiedAddAllAbsent() unrepeatable read
    int copiedAddAllAbsent() {
        copied.addAllAbsent(List.of("k"));
        Steps.done(63);
        Steps.await(64);
        return copied.size();
    }

    // finding: violating.CallsOfSomething.bitsOrThemselves() overwritten write
    int bitsOrThemselves() {
        bits.or(BitSet.valueOf(new long[] {2}));
        Steps.done(65);
        Steps.await(66);
        return bits.size();
    }

    // finding: violating.CallsOfSomething.bitsOr() overwritten write
    int bitsOr() {
        bits.or(BitSet.valueOf(new long[] {1}));
        Steps.done(67);
        Steps.await(68);
        return bits.size();
    }

    // finding: violating.CallsOfSomething.bitsAnd() overwritten write
    int bitsAnd() {
        bits.and(new BitSet());
        Steps.done(69);
        Steps.await(70);
        return bits.size();
    }

    // finding: violating.CallsOfSomething.bitsXor() overwritten write
    int bitsXor() {
        bits.xor(bits);
        Steps.done(71);
        Steps.await(72);
        return bits.size();
    }

    // finding: violating.CallsOfSomething.bitsAndNot() overwritten write
    int bitsAndNot() {
        bits.andNot(bits);
        Steps.done(73);
        Steps.await(74);
        return bits.size();
    }

    // finding: violating.CallsOfSomething.bitsAndNotOthers() overwritten write
    int bitsAndNotOthers() {
        bits.andNot(BitSet.valueOf(new long[] {1}));
        Steps.done(75);
        Steps.await(76);
        return bits.size();
    }

    // finding: violating.CallsOfSomething.bitsIntersect() unrepeatable read
    int bitsIntersect() {
        bits.intersects(BitSet.valueOf(new long[] {1 << 6}));
        Steps.done(77);
        Steps.await(78);
        return bits.size();
    }

    public static void main(String[] args) throws InterruptedException {
        CallsOfSomething shared = new CallsOfSomething();
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
