package violating;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SortedSet;
import java.util.Stack;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import schedule.Steps;

/**
 * Collections that are looked at twice, with another thread's change between the two.
 */
public class PlainCollections {
    private final Deque<String> linkedList = new LinkedList<>();
    private final Deque<String> arrayDeque = new ArrayDeque<>();
    private final Queue<String> priorityQueue = new PriorityQueue<>();
    private final Set<String> hashSet = new HashSet<>();
    private final Set<String> linkedHashSet = new LinkedHashSet<>();
    private final SortedSet<String> treeSet = new TreeSet<>();
    private final Set<String> copyOnWriteArraySet = new CopyOnWriteArraySet<>();
    private final List<String> copyOnWriteArrayList = new CopyOnWriteArrayList<>();
    private final Stack<String> stack = new Stack<>();

    // finding: violating.PlainCollections.inLinkedList() unrepeatable read
    boolean inLinkedList() {
        String seen = linkedList.peek();
        Steps.done(1);
        Steps.await(2);
        return seen == linkedList.peek();
    }

    // finding: violating.PlainCollections.inArrayDeque() unrepeatable read
    boolean inArrayDeque() {
        String seen = arrayDeque.peek();
        Steps.done(3);
        Steps.await(4);
        return seen == arrayDeque.peek();
    }

    // finding: violating.PlainCollections.inPriorityQueue() unrepeatable read
    boolean inPriorityQueue() {
        String seen = priorityQueue.peek();
        Steps.done(5);
        Steps.await(6);
        return seen == priorityQueue.peek();
    }

    // finding: violating.PlainCollections.inHashSet() unrepeatable read
    boolean inHashSet() {
        boolean seen = hashSet.contains("x");
        Steps.done(7);
        Steps.await(8);
        return seen == hashSet.contains("x");
    }

    // finding: violating.PlainCollections.inLinkedHashSet() unrepeatable read
    boolean inLinkedHashSet() {
        boolean seen = linkedHashSet.contains("x");
        Steps.done(9);
        Steps.await(10);
        return seen == linkedHashSet.contains("x");
    }

    // finding: violating.PlainCollections.inTreeSet() unrepeatable read
    boolean inTreeSet() {
        boolean seen = treeSet.contains("x");
        Steps.done(11);
        Steps.await(12);
        return seen == treeSet.contains("x");
    }

    // finding: violating.PlainCollections.inCopyOnWriteArraySet() unrepeatable read
    boolean inCopyOnWriteArraySet() {
        boolean seen = copyOnWriteArraySet.contains("x");
        Steps.done(13);
        Steps.await(14);
        return seen == copyOnWriteArraySet.contains("x");
    }

    // finding: violating.PlainCollections.inCopyOnWriteArrayList() unrepeatable read
    boolean inCopyOnWriteArrayList() {
        boolean seen = copyOnWriteArrayList.contains("x");
        Steps.done(15);
        Steps.await(16);
        return seen == copyOnWriteArrayList.contains("x");
    }

    // finding: violating.PlainCollections.inStack() unrepeatable read
    boolean inStack() {
        boolean seen = stack.empty();
        Steps.done(17);
        Steps.await(18);
        return seen == stack.empty();
    }

    public static void main(String[] args) throws InterruptedException {
        PlainCollections p = new PlainCollections();
        Steps.run(() -> {
            p.inLinkedList();
            p.inArrayDeque();
            p.inPriorityQueue();
            p.inHashSet();
            p.inLinkedHashSet();
            p.inTreeSet();
            p.inCopyOnWriteArraySet();
            p.inCopyOnWriteArrayList();
            p.inStack();
        }, () -> {
            Steps.await(1);
            p.linkedList.addFirst("x");
            Steps.done(2);
            Steps.await(3);
            p.arrayDeque.push("x");
            Steps.done(4);
            Steps.await(5);
            p.priorityQueue.add("x");
            Steps.done(6);
            Steps.await(7);
            p.hashSet.add("x");
            Steps.done(8);
            Steps.await(9);
            p.linkedHashSet.add("x");
            Steps.done(10);
            Steps.await(11);
            p.treeSet.add("x");
            Steps.done(12);
            Steps.await(13);
            p.copyOnWriteArraySet.add("x");
            Steps.done(14);
            Steps.await(15);
            p.copyOnWriteArrayList.add("x");
            Steps.done(16);
            Steps.await(17);
            p.stack.push("x");
            Steps.done(18);
        });
        System.out.println(p.treeSet);
    }
}
