package played;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import schedule.Script;

/**
 * Plays a schedule as {@link Play} does, with a field for each variable, a place for each lock, and methods of its own as blocks, so that some of
 * them can be left out.
 */
public final class Parts {
    private int x0;
    private int x1;
    private int x2;
    private int x3;
    private final Object l0 = new Object();
    private final Object l1 = new Object();
    private final Object l2 = new Object();

    private Parts() {
    }

    /** What a thread does up to the end of the block or of the critical section that it is in. */
    void steps(int thread) {
        for (;;) {
            char what = Script.next(thread);
            if ("rwbl".indexOf(what) < 0) {
                return;
            }
            Script.await(thread);
            int number = Script.argument(thread);
            switch (what) {
                case 'r':
                    Script.use(read(number));
                    break;
                case 'w':
                    write(number, thread);
                    break;
                case 'b':
                    enter(number, thread);
                    break;
                default:
                    lock(number, thread);
                    break;
            }
            Script.done();
        }
    }

    private int read(int variable) {
        switch (variable) {
            case 0: return x0;
            case 1: return x1;
            case 2: return x2;
            default: return x3;
        }
    }

    private void write(int variable, int value) {
        switch (variable) {
            case 0:
                x0 = value;
                break;
            case 1:
                x1 = value;
                break;
            case 2:
                x2 = value;
                break;
            default:
                x3 = value;
                break;
        }
    }

    private void lock(int lock, int thread) {
        switch (lock) {
            case 0:
                lock0(thread);
                break;
            case 1:
                lock1(thread);
                break;
            default:
                lock2(thread);
                break;
        }
    }

    private void lock0(int thread) {
        synchronized (l0) {
            inside(thread);
        }
    }

    private void lock1(int thread) {
        synchronized (l1) {
            inside(thread);
        }
    }

    private void lock2(int thread) {
        synchronized (l2) {
            inside(thread);
        }
    }

    private void enter(int block, int thread) {
        switch (block) {
            case 0:
                m0(thread);
                break;
            case 1:
                m1(thread);
                break;
            case 2:
                m2(thread);
                break;
            case 3:
                m3(thread);
                break;
            case 4:
                m4(thread);
                break;
            default:
                m5(thread);
                break;
        }
    }

    private void inside(int thread) {
        Script.done();
        steps(thread);
        Script.await(thread);
    }

    void m0(int thread) {
        inside(thread);
    }

    void m1(int thread) {
        inside(thread);
    }

    void m2(int thread) {
        inside(thread);
    }

    void m3(int thread) {
        inside(thread);
    }

    void m4(int thread) {
        inside(thread);
    }

    void m5(int thread) {
        inside(thread);
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Thread[] threads = new Thread[Script.load(Files.readString(Path.of(args[0])))];
        Parts parts = new Parts();
        for (int number = 0; number < threads.length; number++) {
            int thread = number;
            threads[number] = new Thread(() -> parts.steps(thread), "thread-" + thread);
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("played");
    }
}
