package tso;

import schedule.Steps;

/**
 * The pool of tasks in Figure 1 of Enea and Farzan, TACAS 2016: one thread takes from the head, the other from the tail. Each first
 * moves its own index and then looks at the other's. One task is left, and one thread after the other tries to take it.
 */
public class TaskPool {
    private final Cell head;
    private final Cell tail;
    private final String[] tasks = {"task"};

    TaskPool(String kind) {
        head = Cell.of(kind, 0);
        tail = Cell.of(kind, tasks.length);
    }

    String takeFirst() {
        int mine = head.get() + 1;
        head.set(mine);
        if (mine <= tail.get()) {
            return take(mine - 1);
        }
        head.set(mine - 1);
        return null;
    }

    String takeLast() {
        int mine = tail.get() - 1;
        tail.set(mine);
        if (head.get() <= mine) {
            return take(mine);
        }
        tail.set(mine + 1);
        return null;
    }

    private String take(int at) {
        String task = tasks[at];
        tasks[at] = null;
        return task;
    }

    public static void main(String[] args) throws InterruptedException {
        TaskPool pool = new TaskPool(args[0]);
        Steps.run(() -> {
            System.out.println(pool.takeFirst());
            Steps.done(1);
            Steps.await(2);
            // The end of a thread is a fence: this read orders it after what the other has done.
            System.out.println(pool.tail.get());
        }, () -> {
            Steps.await(1);
            System.out.println(pool.takeLast());
            Steps.done(2);
        });
    }
}
