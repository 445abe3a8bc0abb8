package violating;

import java.util.Timer;
import java.util.TimerTask;
import schedule.Steps;

/**
 * What two threads keep for themselves can be one object; and a task of a timer is a method of another thread.
 */
public class SharedThreadLocal {
    private static final ThreadLocal<Holder> HOLDER = new ThreadLocal<>();

    /** What they share. */
    static class Holder {
        int count;
    }

    // finding: violating.SharedThreadLocal.add() lost update
    int add() {
        int seen = HOLDER.get().count;
        Steps.done(1);
        Steps.await(2);
        HOLDER.get().count = seen + 1;
        return seen;
    }

    public static void main(String[] args) throws InterruptedException {
        SharedThreadLocal p = new SharedThreadLocal();
        Holder holder = new Holder();
        HOLDER.set(holder);
        Timer timer = new Timer(true);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                Steps.await(1);
                HOLDER.set(holder);
                HOLDER.get().count = 5;
                Steps.done(2);
            }
        }, 0);
        System.out.println(p.add() + holder.count);
    }
}
