package profiled;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import schedule.Steps;

/**
 * Two threads share something of each kind, and something of each kind is one thread's own. The comments name all that a profile
 * of the run has to say.
 */
public class Facts {
    static class Base {
        // fact: field profiled.Facts$Base.inherited
        int inherited;
        int own;
        // fact: field profiled.Facts$Base.total
        static int total;
    }

    /** Its name is in the instructions that access fields of the class above. */
    static class Below extends Base {
    }

    /** Its methods are no blocks, as nothing can come between; those that call them are. */
    static class Cell {
        // fact: field profiled.Facts$Cell.value
        private int value;

        int get() {
            return value;
        }

        void set(int value) {
            this.value = value;
        }
    }

    static class Made {
        // fact: field profiled.Facts$Made.value
        private int value;
        // fact: field profiled.Facts$Made.isMade
        private boolean isMade;
        /** Nobody else looks at it. */
        private int reads;
    }

    private final Below below = new Below();
    private final Made once = new Made();
    private final Cell cell = new Cell();
    // fact: array profiled.Facts.table
    private final Object[] table = new Object[1];
    private final Object[] ownTable = new Object[1];
    private final Object[] handed = new Object[1];
    // fact: call profiled.Facts.names
    private final List<String> names = new ArrayList<>();
    private final List<String> ownNames = new ArrayList<>();
    private final Object lock = new Object();
    private final Object ownLock = new Object();
    private final ReentrantLock held = new ReentrantLock();
    // fact: field profiled.Facts.made
    private Object[] made;
    // fact: field profiled.Facts.locked
    private int locked;
    private int onlyHere;
    /** Written while there are no other threads, and read by both. */
    private int round;

    // fact: block profiled.Facts.fields()V
    void fields() {
        below.inherited++;
        Below.total++;
    }

    /** No access of its own: what it calls has them. */
    // fact: block profiled.Facts.outer()V
    void outer() {
        cell.set(cell.get() + 1);
    }

    // fact: block profiled.Facts.elements([Ljava/lang/Object;)V
    // fact: array profiled.Facts.elements([Ljava/lang/Object;)V:1
    // fact: array profiled.Facts.elements([Ljava/lang/Object;)V:call profiled.Facts.handed
    void elements(Object[] given) {
        table[0] = given[0];
        given[0] = "given";
        table[0] = "table";
        handed()[0] = given[0];
        table[0] = handed()[0];
    }

    private Object[] handed() {
        return handed;
    }

    // fact: block profiled.Facts.allocates(Z)V
    // fact: array profiled.Facts.allocates(Z)V:new []
    // fact: array profiled.Facts.made
    void allocates(boolean isFirst) {
        if (!isFirst) {
            made[0] = "other";
            return;
        }
        Object[] elements = new Object[1];
        made = elements;
        Steps.done(1);
        Steps.await(2);
        elements[0] = "own";
    }

    // fact: block profiled.Facts.calls()V
    void calls() {
        if (names.size() < 2) {
            names.add("name");
        }
    }

    // fact: block profiled.Facts.monitor()V
    // fact: monitor profiled.Facts.lock
    void monitor() {
        synchronized (lock) {
            locked++;
        }
    }

    // fact: block profiled.Facts.monitorOfClass()V
    // fact: monitor java.util.concurrent.locks.ReentrantLock.class
    void monitorOfClass() {
        synchronized (ReentrantLock.class) {
            locked++;
        }
    }

    // fact: block profiled.Facts.synchronizes()V
    // fact: monitor profiled.Facts
    synchronized void synchronizes() {
        locked++;
    }

    // fact: block profiled.Facts.synchronizesAll(Lprofiled/Facts;)V
    // fact: monitor profiled.Facts.class
    static synchronized void synchronizesAll(Facts of) {
        of.locked++;
    }

    // fact: block profiled.Facts.holds()V
    // fact: locks
    void holds() {
        held.lock();
        try {
            locked++;
        } finally {
            held.unlock();
        }
    }

    /** The body of a lambda is no block; who runs it is one. */
    // fact: block profiled.Facts.lambdas()V
    void lambdas() {
        Runnable one = () -> locked++;
        one.run();
        one.run();
    }

    /** All that orders the threads is the field that says whether the value is there. */
    // fact: block profiled.Facts.make()I
    int make() {
        if (!once.isMade) {
            once.value = 7;
            once.reads++;
            once.isMade = true;
        }
        return once.value;
    }

    int reads() {
        return round + round;
    }

    /** What the other thread never reaches. */
    void own() {
        below.own++;
        ownTable[0] = "own";
        ownTable[0] = ownTable.length;
        if (ownNames.isEmpty()) {
            ownNames.add("own");
        }
        synchronized (ownLock) {
            onlyHere++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Facts facts = new Facts();
        Object[] given = {"first"};
        facts.round = 1;
        Runnable[] ways = {
            facts::fields, facts::outer, () -> facts.elements(given), facts::calls, facts::monitor, facts::monitorOfClass,
            facts::synchronizes, () -> synchronizesAll(facts), facts::holds, facts::lambdas, facts::reads,
            facts::make,
        };
        Steps.run(() -> {
            facts.allocates(true);
            facts.own();
            for (int i = 0; i < ways.length; i++) {
                Steps.await(2 * i + 2);
                ways[i].run();
                Steps.done(2 * i + 3);
            }
        }, () -> {
            Steps.await(1);
            facts.allocates(false);
            Steps.done(2);
            for (int i = 0; i < ways.length; i++) {
                Steps.await(2 * i + 3);
                ways[i].run();
                Steps.done(2 * i + 4);
            }
        });
        facts.round = 2;
        System.out.println(facts.locked + " " + facts.below.inherited + facts.cell.get() + facts.names);
    }
}
