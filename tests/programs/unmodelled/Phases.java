package unmodelled;

import java.util.concurrent.Phaser;

/**
 * An order that is not seen, because nothing is known of phasers.
 */
public class Phases {
    private final Phaser phaser = new Phaser(1);
    private int value;

    int next() {
        phaser.arriveAndAwaitAdvance();
        return ++value;
    }

    public static void main(String[] args) {
        Phases p = new Phases();
        System.out.println(p.next() + p.next());
    }
}
