package atomic;

import schedule.Steps;

/**
 * Interruptions that order nothing: of a thread by itself, one that came before the method, an exception that the program has made, and one of two
 * threads, of which nobody knows who came first.
 */
public class Interruptions {
    private int value;

    int ownFlag() {
        value = 1;
        Thread.currentThread().interrupt();
        return Thread.interrupted() ? value : 0;
    }

    int interruptedBefore() {
        return Thread.interrupted() ? ++value : 0;
    }

    int ownException() {
        value = 3;
        Steps.done(3);
        Steps.await(4);
        try {
            throw new InterruptedException("own");
        } catch (InterruptedException e) {
            return e.getMessage().length();
        }
    }

    int byOneOfTwo() {
        value = 4;
        Steps.done(5);
        Steps.await(7);
        return Thread.interrupted() ? 4 : 0;
    }

    private void lookAndInterrupt(Thread thread) {
        if (value > 0) {
            thread.interrupt();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Interruptions p = new Interruptions();
        Thread[] worker = new Thread[1];
        Thread third = new Thread(() -> {
            Steps.await(5);
            p.lookAndInterrupt(worker[0]);
            Steps.done(6);
        }, "third");
        third.start();
        Steps.run(() -> {
            worker[0] = Thread.currentThread();
            System.out.println(p.ownFlag());
            Steps.done(1);
            Steps.await(2);
            System.out.println(p.interruptedBefore());
            System.out.println(p.ownException());
            System.out.println(Thread.interrupted());
            System.out.println(p.byOneOfTwo());
        }, () -> {
            Steps.await(1);
            p.lookAndInterrupt(worker[0]);
            Steps.done(2);
            Steps.await(3);
            p.lookAndInterrupt(worker[0]);
            Steps.done(4);
            Steps.await(6);
            p.lookAndInterrupt(worker[0]);
            Steps.done(7);
        });
        third.join();
    }
}
