package libraries;

import com.google.common.util.concurrent.Monitor;
import schedule.Steps;

/**
 * Entries of a monitor that wait for another thread, which is forced to enter meanwhile: methods called {@code waits..} give the monitor up inside, those called
 * {@code twice..} have entered before, and those called {@code once..} are not violated. What the guards ask for is a property of the JVM, which orders nothing.
 */
public class WaitingLibraries {
    private final Monitor monitor = new Monitor();
    private int step;
    private int plain;

    private Monitor.Guard guard(String property) {
        return monitor.newGuard(() -> System.getProperty(property) != null);
    }

    void waitsFor() throws InterruptedException {
        monitor.enter();
        Steps.done(++step);
        monitor.waitFor(guard("wait"));
        monitor.leave();
    }

    void waitsForUninterruptibly() {
        monitor.enter();
        Steps.done(++step);
        monitor.waitForUninterruptibly(guard("wait without interruptions"));
        monitor.leave();
    }

    void twiceEnteredWhen() throws InterruptedException {
        monitor.enter();
        monitor.leave();
        Steps.done(++step);
        monitor.enterWhen(guard("enter"));
        monitor.leave();
    }

    /** It enters after the other thread has left, and what that has done comes before. */
    void onceEnteredWhen() throws InterruptedException {
        Steps.done(++step);
        monitor.enterWhen(guard("enter once"));
        plain++;
        monitor.leave();
    }

    private void enter(int after, String property) {
        Steps.await(after);
        monitor.enter();
        plain++;
        System.setProperty(property, "yes");
        monitor.leave();
    }

    private void first() {
        try {
            waitsFor();
            waitsForUninterruptibly();
            twiceEnteredWhen();
            onceEnteredWhen();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        WaitingLibraries p = new WaitingLibraries();
        Steps.run(() -> p.first(), () -> {
            p.enter(1, "wait");
            p.enter(2, "wait without interruptions");
            p.enter(3, "enter");
            p.enter(4, "enter once");
        });
        System.out.println("done");
    }
}
