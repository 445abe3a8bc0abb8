package played;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import schedule.Script;

/**
 * Plays the schedules of a file, one after the other: threads that enter blocks, access variables and hold locks in
 * exactly the order of the lines. Its own methods are no blocks.
 */
public final class Play {
    private Play() {
    }

    /** A variable. */
    static final class Cell {
        int value;
    }

    /** What a thread does up to the end of the block or of the critical section that it is in. */
    static void steps(int thread) {
        for (;;) {
            switch (Script.next(thread)) {
                case 'r':
                    Script.await(thread);
                    Script.use(((Cell) Script.cell(thread)).value);
                    Script.done();
                    break;
                case 'w':
                    Script.await(thread);
                    ((Cell) Script.cell(thread)).value = thread;
                    Script.done();
                    break;
                case 'b':
                    Script.await(thread);
                    enter(Script.argument(thread), thread);
                    Script.done();
                    break;
                case 'l':
                    Script.await(thread);
                    synchronized (Script.lock(thread)) {
                        Script.done();
                        steps(thread);
                        Script.await(thread);
                    }
                    Script.done();
                    break;
                case 't':
                case 'f':
                case 's':
                    Script.await(thread);
                    Script.round(thread);
                    Script.done();
                    break;
                default:
                    return;
            }
        }
    }

    private static void enter(int block, int thread) {
        switch (block) {
            case 0:
                Blocks.m0(thread);
                break;
            case 1:
                Blocks.m1(thread);
                break;
            case 2:
                Blocks.m2(thread);
                break;
            case 3:
                Blocks.m3(thread);
                break;
            case 4:
                Blocks.m4(thread);
                break;
            default:
                Blocks.m5(thread);
                break;
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        int schedules = 0;
        for (String schedule : Files.readString(Path.of(args[0])).split("\n\n")) {
            Thread[] threads = new Thread[Script.load(schedule)];
            for (int cell = 0; cell < Script.MOST; cell++) {
                Script.put(cell, new Cell());
            }
            for (int number = 0; number < threads.length; number++) {
                int thread = number;
                threads[number] = new Thread(() -> steps(thread), "thread-" + thread);
            }
            for (Thread thread : threads) {
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            schedules++;
        }
        System.out.println("played " + schedules);
    }
}
