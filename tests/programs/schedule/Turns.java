package schedule;

/**
 * Two threads that take turns, again and again: the second does something while the first waits in the middle of a block. Like everything in this package it makes
 * no events.
 */
public final class Turns {
    private int step;
    private Runnable turn;
    private boolean isOver;

    /** Runs the first; when it calls {@link #give}, the second thread runs what that gets. */
    public void run(Runnable first) throws InterruptedException {
        Thread second = new Thread(this::serve, "second");
        second.start();
        first.run();
        synchronized (this) {
            isOver = true;
            notifyAll();
        }
        second.join();
    }

    /** Lets the second thread run this, and waits until it has. */
    public synchronized void give(Runnable what) {
        turn = what;
        notifyAll();
        int before = step;
        while (step == before) {
            pause();
        }
    }

    private void serve() {
        while (true) {
            Runnable what;
            synchronized (this) {
                while (turn == null && !isOver) {
                    pause();
                }
                what = turn;
            }
            if (what == null) {
                return;
            }
            what.run();
            synchronized (this) {
                turn = null;
                step++;
                notifyAll();
            }
        }
    }

    private void pause() {
        try {
            wait();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
