package libraries;

import java.util.Set;
import java.util.TreeSet;
import reactor.blockhound.BlockHound;
import schedule.Steps;

/**
 * Threads that must not block, with BlockHound to tell. It puts calls of the program's own code into {@link Thread#yield}, {@link Thread#onSpinWait} and others; the
 * threads access one variable at the same time, so that the agent's hooks wait for each other.
 */
public class Blocking {
    private static final int ROUNDS = 200_000;
    private static final Set<String> BLOCKED = new TreeSet<>();
    private static int calls;
    private volatile int shared;
    private int balance;

    private static void note(String method) {
        synchronized (BLOCKED) {
            BLOCKED.add(method);
        }
        // Hooks of its own, without a lock, on a variable that several threads access.
        calls = method.length();
    }

    private void set(int value) {
        shared = value;
    }

    private int get() {
        return shared;
    }

    // finding: libraries.Blocking.withdraw(int) lost update
    private void withdraw(int amount) {
        int seen = balance;
        Steps.done(1);
        Steps.await(2);
        balance = seen - amount;
    }

    public static void main(String[] arguments) throws InterruptedException {
        BlockHound.builder()
            .nonBlockingThreadPredicate(others -> others.or(thread -> thread.getName().startsWith("loop")))
            .blockingMethodCallback(method -> note(method.getClassName() + '.' + method.getName()))
            .install();
        Blocking blocking = new Blocking();
        Runnable loop = () -> {
            int sum = 0;
            for (int i = 0; i < ROUNDS; i++) {
                blocking.set(i);
                sum += blocking.get();
            }
            if (sum == -1) {
                System.out.println("never");
            }
        };
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(loop, "loop " + i);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("blocked in the loops: " + BLOCKED);
        Thread sleeper = new Thread(() -> {
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                System.out.println("never");
            }
        }, "loop that sleeps");
        sleeper.start();
        sleeper.join();
        System.out.println("blocked: " + BLOCKED + ' ' + (calls > 0));
        Steps.run(() -> blocking.withdraw(1), () -> {
            Steps.await(1);
            blocking.balance = 5;
            Steps.done(2);
        });
        System.out.println("balance " + blocking.balance);
    }
}
