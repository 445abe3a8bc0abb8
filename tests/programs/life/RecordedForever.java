package life;

/**
 * Two threads access shared data in blocks until the process is killed. After two seconds it prints a line: by then
 * events have been recorded for twice as long as the recorder buffers them.
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
