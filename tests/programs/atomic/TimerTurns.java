package atomic;

import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

/**
 * The tasks of a timer run one after the other, each one after what was done before it was given away.
 */
public class TimerTurns {
    private int count;

    int add() {
        int seen = count;
        count = seen + 1;
        return count;
    }

    public static void main(String[] args) throws InterruptedException {
        TimerTurns p = new TimerTurns();
        Timer timer = new Timer("timer", true);
        p.add();
        CountDownLatch done = new CountDownLatch(3);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                p.add();
                done.countDown();
            }
        }, 0, 1);
        done.await();
        timer.cancel();
        System.out.println(p.count >= 4);
    }
}
