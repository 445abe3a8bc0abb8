import dev.regiontrack.check.Dump;
import java.util.ArrayList;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Calls that fail because of what another thread has changed: a step of an iterator, the removal of a queue's head and of a list's element. It prints whether they were reads
 * of the blocks that the exceptions leave; a part of a list that refuses an index looks at nothing.
 */
public final class FailingCalls {
    private FailingCalls() {
    }

    static void step(Iterator<String> each) {
        each.next();
    }

    static void head(Queue<String> queue) {
        queue.remove();
    }

    static void element(List<String> list) {
        list.remove(0);
    }

    static void part(List<String> part) {
        part.get(1);
    }

    public static void main(String[] args) throws InterruptedException {
        List<String> list = new ArrayList<>(List.of("a"));
        Iterator<String> each = list.iterator();
        Queue<String> queue = new ConcurrentLinkedQueue<>();
        run(() -> list.add("b"));
        run(() -> change(queue));
        long before = Dump.reads();
        try {
            step(each);
        } catch (ConcurrentModificationException e) {
            System.out.println("step " + (Dump.reads() > before));
        }
        before = Dump.reads();
        try {
            head(queue);
        } catch (NoSuchElementException e) {
            System.out.println("head " + (Dump.reads() > before));
        }
        run(list::clear);
        before = Dump.reads();
        try {
            element(list);
        } catch (IndexOutOfBoundsException e) {
            System.out.println("element " + (Dump.reads() > before));
        }
        list.add("a");
        List<String> part = list.subList(0, 1);
        run(() -> list.set(0, "b"));
        before = Dump.reads();
        try {
            part(part);
        } catch (IndexOutOfBoundsException e) {
            System.out.println("part " + (Dump.reads() > before));
        }
    }

    private static void change(Collection<String> queue) {
        queue.add("b");
        queue.clear();
    }

    private static void run(Runnable what) throws InterruptedException {
        Thread thread = new Thread(what);
        thread.start();
        thread.join();
    }
}
