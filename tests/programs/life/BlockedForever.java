package life;

import schedule.Steps;

/**
 * Threads that wait for a lock forever, daemons and others, while another ends the program.
 */
public class BlockedForever {
    private static final Object LOCK = new Object();

    public static void main(String[] args) {
        synchronized (LOCK) {
            for (int i = 0; i < 3; i++) {
                Thread thread = new Thread(BlockedForever::waitForLock, "blocked-" + i);
                thread.setDaemon(i == 0);
                thread.start();
                while (thread.getState() != Thread.State.BLOCKED) {
                    Thread.onSpinWait();
                }
            }
            Steps.done(1);
            System.out.println("all blocked");
            System.exit(7);
        }
    }

    static void waitForLock() {
        synchronized (LOCK) {
            throw new AssertionError("got the lock");
        }
    }
}
