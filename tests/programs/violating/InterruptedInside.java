package violating;

import schedule.Steps;

/**
 * A thread looks at what a method has done, and interrupts the thread that runs it, which the method sees before its end.
 */
public class InterruptedInside {
    private int value;

    // finding: violating.InterruptedInside.polls() interference
    int polls() {
        value = 1;
        Steps.done(1);
        Steps.await(2);
        return Thread.interrupted() ? value : 0;
    }

    // finding: violating.InterruptedInside.asks() interference
    int asks() {
        value = 2;
        Steps.done(3);
        Steps.await(4);
        return Thread.currentThread().isInterrupted() ? value : 0;
    }

    // waits inside: violating.InterruptedInside.sleeps()
    int sleeps() {
        value = 3;
        Steps.done(5);
        try {
            Thread.sleep(3_600_000);
            return 0;
        } catch (InterruptedException e) {
            return value;
        }
    }

    // waits inside: violating.InterruptedInside.waits()
    int waits() {
        value = 4;
        Steps.done(7);
        try {
            Object own = new Object();
            synchronized (own) {
                while (true) {
                    own.wait();
                }
            }
        } catch (InterruptedException e) {
            return value;
        }
    }

    private void lookAndInterrupt(Thread thread) {
        if (value > 0) {
            thread.interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        InterruptedInside p = new InterruptedInside();
        Thread[] worker = new Thread[1];
        Steps.run(() -> {
            worker[0] = Thread.currentThread();
            System.out.println(p.polls());
            System.out.println(p.asks());
            System.out.println(Thread.interrupted());
            System.out.println(p.sleeps());
            System.out.println(p.waits());
        }, () -> {
            for (int step = 1; step < 9; step += 2) {
                Steps.await(step);
                p.lookAndInterrupt(worker[0]);
                Steps.done(step + 1);
            }
        });
    }
}
