package violating;

import java.util.concurrent.locks.LockSupport;
import schedule.Steps;

/**
 * Methods that park their thread between two accesses. Who parks waits for another thread, whether it gets the permit from that one or not, unless it only
 * pauses for a time.
 */
public class YieldsItsPermit {
    private int state;

    // waits inside: violating.YieldsItsPermit.parks()
    void parks() {
        int before = state;
        LockSupport.park();
        Steps.await(1);
        state += before;
    }

    // waits inside: violating.YieldsItsPermit.parksForAnObject()
    void parksForAnObject() {
        int before = state;
        LockSupport.park(this);
        Steps.await(2);
        state += before;
    }

    // waits inside: violating.YieldsItsPermit.parksForATime()
    void parksForATime() {
        int before = state;
        LockSupport.parkNanos(this, 60_000_000_000L);
        Steps.await(3);
        state += before;
    }

    // waits inside: violating.YieldsItsPermit.parksUntil()
    void parksUntil() {
        int before = state;
        LockSupport.parkUntil(this, System.currentTimeMillis() + 60_000);
        Steps.await(4);
        state += before;
    }

    // waits inside: violating.YieldsItsPermit.parksElsewhere()
    void parksElsewhere() {
        int before = state;
        park();
        Steps.await(5);
        state += before;
    }

    private static void park() {
        LockSupport.park();
    }

    // finding: violating.YieldsItsPermit.pauses() lost update
    void pauses() {
        int before = state;
        LockSupport.parkNanos(60_000_000_000L);
        Steps.await(6);
        state = before + 1;
    }

    // waits inside: violating.YieldsItsPermit.during(int,java.lang.Runnable)
    private void during(int step, Runnable method) throws InterruptedException {
        Thread parked = new Thread(method);
        parked.start();
        Steps.awaitParked(parked);
        state++;
        Steps.done(step);
        LockSupport.unpark(parked);
        parked.join();
    }

    public static void main(String[] args) throws InterruptedException {
        YieldsItsPermit a = new YieldsItsPermit();
        a.during(1, a::parks);
        a.during(2, a::parksForAnObject);
        a.during(3, a::parksForATime);
        a.during(4, a::parksUntil);
        a.during(5, a::parksElsewhere);
        a.during(6, a::pauses);
        System.out.println(a.state);
    }
}
