package violating;

import java.util.concurrent.Phaser;
import schedule.Steps;

/**
 * A method waits for a phase to be over, or sees that it is: what others did before they arrived lies between its begin and its end.
 */
public class PhaserInside {
    private final Phaser both = new Phaser(2);
    private final Phaser other = new Phaser(1);
    private final Phaser parent = new Phaser();
    private final Phaser child = new Phaser(parent, 2);
    private int value;

    // waits inside: violating.PhaserInside.arrivesLast()
    int arrivesLast() {
        value = 1;
        Steps.done(1);
        Steps.await(2);
        return both.arriveAndAwaitAdvance();
    }

    // waits inside: violating.PhaserInside.arrivesFirst()
    int arrivesFirst() {
        value = 2;
        Steps.done(3);
        return both.arriveAndAwaitAdvance();
    }

    // waits inside: violating.PhaserInside.arrivesNot()
    int arrivesNot() throws InterruptedException {
        value = 3;
        Steps.done(5);
        return other.awaitAdvanceInterruptibly(0);
    }

    // waits inside: violating.PhaserInside.comesLate()
    int comesLate() {
        value = 4;
        Steps.done(7);
        Steps.await(8);
        return other.awaitAdvance(1) + value;
    }

    // waits inside: violating.PhaserInside.inTree()
    int inTree() {
        value = 5;
        Steps.done(9);
        return child.arriveAndAwaitAdvance();
    }

    // waits inside: violating.PhaserInside.untilNobodyIsLeft()
    int untilNobodyIsLeft() {
        value = 6;
        Steps.done(11);
        return other.awaitAdvance(2) & 7;
    }

    private void awaitArrival(Phaser phaser) {
        while (phaser.getArrivedParties() == 0) {
            Thread.onSpinWait();
        }
    }

    private int look(int step) {
        Steps.await(step);
        return value;
    }

    public static void main(String[] args) throws InterruptedException {
        PhaserInside p = new PhaserInside();
        Steps.run(() -> {
            System.out.println(p.arrivesLast() + " " + p.arrivesFirst());
            try {
                System.out.println(p.arrivesNot() + " " + p.comesLate());
            } catch (InterruptedException e) {
                System.out.println(e);
            }
            System.out.println(p.inTree() + " " + p.untilNobodyIsLeft());
        }, () -> {
            p.look(1);
            p.both.arrive();
            Steps.done(2);
            p.look(3);
            p.awaitArrival(p.both);
            p.both.arriveAndAwaitAdvance();
            p.look(5);
            p.other.arrive();
            p.look(7);
            p.other.arrive();
            Steps.done(8);
            p.look(9);
            p.awaitArrival(p.child);
            p.child.arrive();
            p.look(11);
            p.other.arriveAndDeregister();
        });
    }
}
