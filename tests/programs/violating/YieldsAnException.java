package violating;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.EmptyStackException;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Stack;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.ConcurrentSkipListSet;
import schedule.Steps;

/**
 * A method has looked at a collection, and what it does next fails, because another thread has taken out what was there. The call that throws has looked, too, and
 * no other event comes after the change.
 */
public class YieldsAnException {
    private final List<String> jobs = Collections.synchronizedList(new ArrayList<>(List.of("a")));
    private final List<String> names = Collections.synchronizedList(new ArrayList<>(List.of("a")));
    private final Vector<Integer> ids = new Vector<>(List.of(1));
    private final Stack<String> stack = new Stack<>();
    private final ArrayDeque<String> deque = new ArrayDeque<>(List.of("a"));
    private final TreeMap<String, String> map = new TreeMap<>();
    private final ConcurrentSkipListSet<String> set = new ConcurrentSkipListSet<>(List.of("a"));
    private final StringBuffer text = new StringBuffer("a");
    private final List<String> parted = new ArrayList<>(List.of("a", "b"));
    private final List<String> part = parted.subList(0, 1);
    private final List<String> once = Collections.synchronizedList(new ArrayList<>(List.of("a")));

    // finding: violating.YieldsAnException.takeJob() stale check-then-act on a collection
    void takeJob() {
        if (!jobs.isEmpty()) {
            meanwhile(1);
            jobs.remove(0);
        }
    }

    // finding: violating.YieldsAnException.lastName() stale check-then-act on a collection
    String lastName() {
        int size = names.size();
        meanwhile(3);
        return names.get(size - 1);
    }

    // finding: violating.YieldsAnException.takeId() stale check-then-act on a collection
    int takeId() {
        int size = ids.size();
        meanwhile(5);
        return ids.remove(size - 1);
    }

    // finding: violating.YieldsAnException.pop() stale check-then-act on a collection
    void pop() {
        if (!stack.isEmpty()) {
            meanwhile(7);
            stack.pop();
        }
    }

    // finding: violating.YieldsAnException.popped() stale check-then-act on a collection
    void popped() {
        if (!deque.isEmpty()) {
            meanwhile(9);
            deque.pop();
        }
    }

    // finding: violating.YieldsAnException.firstKey() stale check-then-act on a collection
    void firstKey() {
        if (!map.isEmpty()) {
            meanwhile(11);
            map.firstKey();
        }
    }

    // finding: violating.YieldsAnException.first() stale check-then-act on a collection
    void first() {
        if (!set.isEmpty()) {
            meanwhile(13);
            set.first();
        }
    }

    // finding: violating.YieldsAnException.lastChar() unrepeatable read
    void lastChar() {
        int length = text.length();
        meanwhile(15);
        text.charAt(length - 1);
    }

    /** The only look: the other thread takes the job out before, and puts one in after. */
    void takeOnce() {
        Steps.await(17);
        once.remove(0);
    }

    /** The look has returned when the other thread changes the list, and the exception is not the list's. */
    int name(int[] numbers) {
        int length = once.get(0).length();
        meanwhile(19);
        return numbers[length];
    }

    /** The other thread fails to set an element of a part of the list: it writes nothing. */
    boolean hasGrown() {
        int before = parted.size();
        meanwhile(21);
        return parted.size() > before;
    }

    private void setsPart() {
        part.set(0, "b");
    }

    private static void meanwhile(int step) {
        Steps.done(step);
        Steps.await(step + 1);
    }

    private static Runnable takes(int step, Runnable what) {
        return () -> {
            Steps.await(step);
            what.run();
            Steps.done(step + 1);
        };
    }

    // waits inside: violating.YieldsAnException.fails(java.lang.Runnable,int,java.lang.Runnable)
    private static void fails(Runnable block, int step, Runnable other) throws InterruptedException {
        Steps.run(() -> {
            try {
                block.run();
                System.out.println("step " + step + " has not failed");
            } catch (IndexOutOfBoundsException | NoSuchElementException | EmptyStackException e) {
                System.out.println(e.getClass().getName());
            }
        }, takes(step, other));
    }

    public static void main(String[] args) throws InterruptedException {
        YieldsAnException p = new YieldsAnException();
        p.stack.push("a");
        p.map.put("a", "");
        fails(p::takeJob, 1, () -> p.jobs.remove("a"));
        fails(p::lastName, 3, () -> p.names.remove("a"));
        fails(p::takeId, 5, () -> p.ids.clear());
        fails(p::pop, 7, () -> p.stack.clear());
        fails(p::popped, 9, () -> p.deque.clear());
        fails(p::firstKey, 11, () -> p.map.remove("a"));
        fails(p::first, 13, () -> p.set.remove("a"));
        fails(p::lastChar, 15, () -> p.text.setLength(0));
        fails(p::takeOnce, 0, () -> {
            p.once.clear();
            Steps.done(17);
        });
        p.once.add("a");
        fails(() -> p.name(new int[1]), 19, p.once::clear);
        p.parted.add("c");
        fails(p::hasGrown, 21, () -> {
            try {
                p.setsPart();
            } catch (ConcurrentModificationException e) {
                System.out.println(e.getClass().getName());
            }
        });
    }
}
