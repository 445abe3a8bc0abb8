package unmodelled;

import java.util.concurrent.locks.LockSupport;

/**
 * An order that is not seen, because a thread that was parked can have gone on for no reason.
 */
public class Parks {
    private int value;

    int next() {
        LockSupport.unpark(Thread.currentThread());
        LockSupport.park();
        return ++value;
    }

    public static void main(String[] args) {
        Parks p = new Parks();
        System.out.println(p.next() + p.next());
    }
}
