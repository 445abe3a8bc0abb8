package atomic;

import schedule.Steps;

/**
 * A hand-off by wait and notify. The method that waits deliberately lets others in.
 */
public class WaitNotify {
    private Object item;

    synchronized void put(Object newItem) {
        item = newItem;
        notifyAll();
    }

    // waits inside: atomic.WaitNotify.take()
    synchronized Object take() throws InterruptedException {
        while (item == null) {
            Steps.done(1);
            wait();
        }
        Object taken = item;
        item = null;
        return taken;
    }

    public static void main(String[] args) throws InterruptedException {
        WaitNotify box = new WaitNotify();
        Steps.run(() -> {
            try {
                System.out.println("took " + box.take());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, () -> {
            Steps.await(1);
            box.put("it");
        });
    }
}
