import dev.regiontrack.check.Dump;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * Calls whose effect the agent looks up in the map, because neither the receiver nor the result tells: whose an entry is, whether a look has moved an entry, whether
 * an iterator has come to something that the map still has, whether there was something to copy. It prints what they have recorded.
 */
public final class LookedUpCalls {
    private static final Thread MAIN = Thread.currentThread();

    private LookedUpCalls() {
    }

    /** A key that another thread makes use of while it is looked for. */
    private static final class Late {
        private final Runnable meanwhile;

        Late(Runnable meanwhile) {
            this.meanwhile = meanwhile;
        }

        @Override
        public int hashCode() {
            meanwhile.run();
            return "c".hashCode();
        }

        @Override
        public boolean equals(Object o) {
            return "c".equals(o);
        }
    }

    private static void run(Runnable what) {
        join(started(what));
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Thread started(Runnable what) {
        Thread thread = new Thread(what);
        thread.start();
        return thread;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Integer> filled(Map<String, Integer> map) {
        map.put("a", 1);
        map.put("b", 2);
        map.put("c", 3);
        return map;
    }

    private static void entries() {
        Map<String, Integer> map = filled(new HashMap<>());
        Iterator<Map.Entry<String, Integer>> each = map.entrySet().iterator();
        Map.Entry<String, Integer> there = each.next();
        Map.Entry<String, Integer> gone = each.next();
        each.remove();
        run(() -> map.put("d", 4));
        long before = Dump.reads();
        gone.getValue();
        System.out.println("entry that is gone " + (Dump.reads() > before));
        there.getValue();
        System.out.println("entry that is there " + (Dump.reads() > before));
    }

    private static void moves() {
        Map<Object, Integer> map = new LinkedHashMap<>(16, 0.75f, true);
        map.putAll(filled(new HashMap<>()));
        run(() -> map.get("c"));
        long before = Dump.writes();
        map.get("c");
        System.out.println("get of the last one " + (Dump.writes() > before));
        map.get("a");
        System.out.println("get of another " + (Dump.writes() > before));
        map.get("c");
        // Another thread removes one, and is still about it when the look for the last one has ended.
        CountDownLatch over = new CountDownLatch(1);
        Late last = new Late(() -> {
            started(() -> map.keySet().removeIf(key -> isOther(key, over)));
            // Without an order that the agent would see.
            Dump.hold();
        });
        before = Dump.writes();
        map.get(last);
        System.out.println("get of the last one during a removal " + (Dump.writes() > before));
        over.countDown();
    }

    /** The last key comes last. */
    private static boolean isOther(Object key, CountDownLatch over) {
        if (!key.equals("c")) {
            return true;
        }
        Dump.release();
        await(over);
        return false;
    }

    /** Both keys are in one list. The iterator has come to the first, and at its first step it comes to what that has as its next. */
    private static boolean isSecondStepRead(Runnable meanwhile, Map<Integer, Integer> map) {
        map.put(1, 1);
        map.put(17, 1);
        Iterator<Integer> each = map.keySet().iterator();
        run(meanwhile);
        each.next();
        long before = Dump.reads();
        each.next();
        return Dump.reads() > before;
    }

    private static void nodes() {
        Map<Integer, Integer> map = new ConcurrentHashMap<>();
        System.out.println("step to a key that was written " + isSecondStepRead(() -> map.put(17, 2), map));
        Map<Integer, Integer> another = new ConcurrentHashMap<>();
        System.out.println("step to a key that is gone " + isSecondStepRead(() -> {
            another.remove(1);
            another.remove(17);
        }, another));
    }

    /** Whether what an iterator has come to is removed. */
    private static boolean isRemoved(Collection<Integer> of, Runnable meanwhile) {
        Iterator<Integer> each = of.iterator();
        each.next();
        run(meanwhile);
        long before = Dump.writes();
        each.remove();
        return Dump.writes() > before;
    }

    /** One whose hash code is asked for while an iterator of the main thread removes it, and then waits for the other thread. Properties order nothing. */
    private static final class Asked {
        @Override
        public int hashCode() {
            if (Thread.currentThread() == MAIN && System.clearProperty("removes") != null) {
                System.setProperty("may remove", "yes");
                waitFor("has removed");
            }
            return 1;
        }
    }

    private static void waitFor(String property) {
        while (System.getProperty(property) == null) {
            Thread.onSpinWait();
        }
        System.clearProperty(property);
    }

    /** Whether an iterator has removed a key that another thread, which has looked at it before, removes during the call, or looks at once more. */
    private static boolean isRemovedBefore(boolean stays) {
        Asked key = new Asked();
        Map<Asked, Integer> map = new ConcurrentHashMap<>(Map.of(key, 1));
        Iterator<Asked> each = map.keySet().iterator();
        each.next();
        Thread other = started(() -> {
            map.get(key);
            System.setProperty("has looked", "yes");
            waitFor("may remove");
            if (stays) {
                map.get(key);
            } else {
                map.compute(key, (same, value) -> null);
            }
            System.setProperty("has removed", "yes");
        });
        waitFor("has looked");
        System.setProperty("removes", "yes");
        long before = Dump.writes();
        each.remove();
        boolean isRemoved = Dump.writes() > before;
        join(other);
        return isRemoved;
    }

    private static void removals() {
        Map<Integer, Integer> map = new ConcurrentHashMap<>(Map.of(1, 1));
        System.out.println("removal of what compute has removed " + isRemoved(map.keySet(), () -> map.compute(1, (key, value) -> null)));
        map.put(1, 1);
        System.out.println("removal of what another thread removes meanwhile " + isRemovedBefore(false));
        System.out.println("removal of what another thread looks at meanwhile " + isRemovedBefore(true));
        System.out.println("removal of a key " + isRemoved(map.keySet(), map::size));
        Queue<Integer> queue = new ConcurrentLinkedQueue<>(List.of(1, 2));
        System.out.println("removal of what was taken " + isRemoved(queue, queue::poll));
        System.out.println("removal of an element " + isRemoved(queue, queue::size));
    }

    /** Whether something was copied. */
    private static boolean isWritten(List<Integer> from) {
        List<Integer> to = new ArrayList<>(List.of(1));
        run(to::size);
        long before = Dump.writes();
        Collections.copy(to, from);
        return Dump.writes() > before;
    }

    public static void main(String[] args) {
        System.out.println("copy of nothing " + isWritten(new ArrayList<>()));
        System.out.println("copy of something " + isWritten(new ArrayList<>(List.of(2))));
        entries();
        moves();
        nodes();
        removals();
    }
}
