package life;

/**
 * Two threads in blocks that touch what they share, until somebody kills the process. It says when it has run for two
 * seconds: twice as long as a recorded trace keeps events back.
 */
public class RecordedForever {
    private int shared;

    synchronized int get() {
        return shared;
    }

    synchronized void set(int value) {
        shared = value;
    }

    void increment() {
        set(get() + 1);
    }

    void run() {
        for (;;) {
            increment();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        RecordedForever work = new RecordedForever();
        new Thread(work::run).start();
        new Thread(work::run).start();
        Thread.sleep(2000);
        System.out.println("recorded");
        System.out.flush();
    }
}
