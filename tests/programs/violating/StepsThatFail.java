package violating;

import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Set;
import java.util.TreeMap;
import schedule.Steps;

/**
 * Iterations that fail because another thread has changed the collection: the step that throws has looked at it, and no other event comes
 * after the change.
 */
public class StepsThatFail {
    private final Set<String> set = new HashSet<>(List.of("a", "b"));
    private final TreeMap<String, String> map = new TreeMap<>();
    private final List<String> list = new ArrayList<>(List.of("a", "b"));

    // finding: violating.StepsThatFail.inSet() non-atomic iteration
    void inSet() {
        Iterator<String> each = set.iterator();
        each.next();
        Steps.done(1);
        Steps.await(2);
        each.next();
    }

    // finding: violating.StepsThatFail.inMap() non-atomic iteration
    synchronized void inMap() {
        for (String key : map.keySet()) {
            if (key.equals("a")) {
                Steps.done(3);
                Steps.await(4);
            }
        }
    }

    // finding: violating.StepsThatFail.inList() non-atomic iteration
    void inList() {
        ListIterator<String> each = list.listIterator(2);
        each.previous();
        Steps.done(5);
        Steps.await(6);
        try {
            each.previous();
        } finally {
            Steps.done(7);
        }
    }

    /** The failure is caught, and comes out of the method later. */
    // finding: violating.StepsThatFail.kept() non-atomic iteration
    void kept() {
        Iterator<String> each = set.iterator();
        each.next();
        Steps.done(8);
        Steps.await(9);
        ConcurrentModificationException failure = null;
        try {
            each.next();
        } catch (ConcurrentModificationException e) {
            failure = e;
        }
        throw failure;
    }

    public static void main(String[] args) throws InterruptedException {
        StepsThatFail p = new StepsThatFail();
        p.map.put("a", "");
        p.map.put("b", "");
        StringBuilder failed = new StringBuilder();
        Steps.run(() -> {
            for (Runnable part : List.<Runnable>of(p::inSet, p::inMap, p::inList, p::kept)) {
                try {
                    part.run();
                } catch (ConcurrentModificationException e) {
                    failed.append("failed ");
                }
            }
        }, () -> {
            Steps.await(1);
            p.set.add("c");
            Steps.done(2);
            Steps.await(3);
            p.map.put("c", "");
            Steps.done(4);
            Steps.await(5);
            p.list.add("c");
            Steps.done(6);
            Steps.await(8);
            p.set.add("d");
            Steps.done(9);
        });
        System.out.println(failed);
    }
}
