package violating;

import java.util.ArrayList;
import java.util.List;

/**
 * A thread only fills its own array, object or list. That counts as an event: a method that starts and joins it is not atomic.
 */
public class ThreadThatFills {
    private static Object filled() {
        Object[] array = new Object[2];
        for (int i = 0; i < array.length; i++) {
            array[i] = i;
        }
        return array[1];
    }

    // waits inside: violating.ThreadThatFills.startsAndJoins()
    void startsAndJoins() throws InterruptedException {
        Thread thread = new Thread(ThreadThatFills::filled);
        thread.start();
        thread.join();
    }

    private static class Pair {
        int left;
        int right;
    }

    // waits inside: violating.ThreadThatFills.startsAndJoinsOneWithAnObject()
    void startsAndJoinsOneWithAnObject() throws InterruptedException {
        // No block: the thread has no other event.
        Thread thread = new Thread(() -> {
            Pair pair = new Pair();
            pair.left = 1;
            pair.right = pair.left;
        });
        thread.start();
        thread.join();
    }

    // waits inside: violating.ThreadThatFills.startsAndJoinsOneWithAList()
    void startsAndJoinsOneWithAList() throws InterruptedException {
        // No block: the thread has no other event.
        Thread thread = new Thread(() -> {
            List<String> own = new ArrayList<>();
            own.add("");
        });
        thread.start();
        thread.join();
    }

    private static int filledList() {
        List<String> own = new ArrayList<>();
        own.add("");
        own.add("");
        return own.size();
    }

    // waits inside: violating.ThreadThatFills.startsAndJoinsOneWithAListInABlock()
    void startsAndJoinsOneWithAListInABlock() throws InterruptedException {
        Thread thread = new Thread(ThreadThatFills::filledList);
        thread.start();
        thread.join();
    }

    public static void main(String[] args) throws InterruptedException {
        new ThreadThatFills().startsAndJoins();
        new ThreadThatFills().startsAndJoinsOneWithAnObject();
        new ThreadThatFills().startsAndJoinsOneWithAList();
        new ThreadThatFills().startsAndJoinsOneWithAListInABlock();
        System.out.println("filled");
    }
}
