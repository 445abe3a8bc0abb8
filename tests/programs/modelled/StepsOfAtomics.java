package modelled;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import schedule.Steps;

/**
 * Atomic variables that are read and changed in two steps, beside the one step that does both.
 */
public class StepsOfAtomics {
    private static final VarHandle SIZE;
    private static final AtomicIntegerFieldUpdater<StepsOfAtomics> UPDATER = AtomicIntegerFieldUpdater.newUpdater(StepsOfAtomics.class, "updated");

    static {
        try {
            SIZE = MethodHandles.lookup().findVarHandle(StepsOfAtomics.class, "size", int.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static final AtomicInteger shared = new AtomicInteger();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicBoolean flag = new AtomicBoolean();
    private final AtomicReference<String> name = new AtomicReference<>("a");
    private final AtomicLongArray slots = new AtomicLongArray(4);
    private final LongAdder sum = new LongAdder();
    private volatile int size;
    private volatile int updated;
    private int step;

    private void meet() {
        Steps.done(++step);
        Steps.await(++step);
    }

    // finding: modelled.StepsOfAtomics.set() lost update by get and set
    // access: modelled.StepsOfAtomics.set() read of AtomicInteger (field StepsOfAtomics.shared) by get
    // access: modelled.StepsOfAtomics.set() write of AtomicInteger (field StepsOfAtomics.shared) by incrementAndGet
    // access: modelled.StepsOfAtomics.set() write of AtomicInteger (field StepsOfAtomics.shared) by set
    // advice: modelled.StepsOfAtomics.set() addAndGet, updateAndGet, getAndSet or compareAndSet does in one step
    void set() {
        int seen = shared.get();
        meet();
        shared.set(seen + 1);
    }

    // finding: modelled.StepsOfAtomics.limit() stale check-then-act on an atomic variable
    // access: modelled.StepsOfAtomics.limit() read of AtomicInteger (field StepsOfAtomics.count) by get
    // access: modelled.StepsOfAtomics.limit() write of AtomicInteger (field StepsOfAtomics.count) by incrementAndGet
    // advice: modelled.StepsOfAtomics.limit() updateAndGet with a function that decides does in one step
    void limit() {
        if (count.get() < 1) {
            meet();
            count.incrementAndGet();
        }
    }

    // finding: modelled.StepsOfAtomics.once() lost update by get and set
    // access: modelled.StepsOfAtomics.once() read of AtomicBoolean (field StepsOfAtomics.flag) by get
    // access: modelled.StepsOfAtomics.once() write of AtomicBoolean (field StepsOfAtomics.flag) by getAndSet
    // access: modelled.StepsOfAtomics.once() write of AtomicBoolean (field StepsOfAtomics.flag) by set
    // advice: modelled.StepsOfAtomics.once() getAndSet or compareAndSet does in one step
    void once() {
        if (!flag.get()) {
            meet();
            flag.set(true);
        }
    }

    // finding: modelled.StepsOfAtomics.append() lost update by get and set
    // access: modelled.StepsOfAtomics.append() read of AtomicReference (field StepsOfAtomics.name) by get
    // access: modelled.StepsOfAtomics.append() write of AtomicReference (field StepsOfAtomics.name) by compareAndSet
    // access: modelled.StepsOfAtomics.append() write of AtomicReference (field StepsOfAtomics.name) by set
    // advice: modelled.StepsOfAtomics.append() updateAndGet, getAndSet or compareAndSet does in one step
    void append() {
        String seen = name.get();
        meet();
        name.set(seen + "b");
    }

    // finding: modelled.StepsOfAtomics.element() lost update by get and set
    // access: modelled.StepsOfAtomics.element() read of element 3 of AtomicLongArray (field StepsOfAtomics.slots) by get
    // access: modelled.StepsOfAtomics.element() write of element 3 of AtomicLongArray (field StepsOfAtomics.slots) by addAndGet
    // access: modelled.StepsOfAtomics.element() write of element 3 of AtomicLongArray (field StepsOfAtomics.slots) by set
    void element() {
        long seen = slots.get(3);
        meet();
        slots.set(3, seen + 1);
    }

    // finding: modelled.StepsOfAtomics.handle() lost update by get and set
    // access: modelled.StepsOfAtomics.handle() read of modelled.StepsOfAtomics.size by VarHandle.getVolatile
    // access: modelled.StepsOfAtomics.handle() write modelled.StepsOfAtomics.size
    // access: modelled.StepsOfAtomics.handle() write of modelled.StepsOfAtomics.size by VarHandle.setVolatile
    // advice: modelled.StepsOfAtomics.handle() getAndSet or compareAndSet does in one step
    void handle() {
        int seen = (int) SIZE.getVolatile(this);
        meet();
        SIZE.setVolatile(this, seen + 1);
    }

    // finding: modelled.StepsOfAtomics.updater() lost update by get and set
    // access: modelled.StepsOfAtomics.updater() read of modelled.StepsOfAtomics.updated by AtomicIntegerFieldUpdater.get
    // access: modelled.StepsOfAtomics.updater() write of modelled.StepsOfAtomics.updated by AtomicIntegerFieldUpdater.addAndGet
    // access: modelled.StepsOfAtomics.updater() write of modelled.StepsOfAtomics.updated by AtomicIntegerFieldUpdater.set
    void updater() {
        int seen = UPDATER.get(this);
        meet();
        UPDATER.set(this, seen + 1);
    }

    // finding: modelled.StepsOfAtomics.take() lost update
    // access: modelled.StepsOfAtomics.take() read of a part of LongAdder (field StepsOfAtomics.sum) by sum
    // access: modelled.StepsOfAtomics.take() write of a part of LongAdder (field StepsOfAtomics.sum) by add
    // access: modelled.StepsOfAtomics.take() write of a part of LongAdder (field StepsOfAtomics.sum) by reset
    // advice: modelled.StepsOfAtomics.take() sumThenReset does in one step
    void take() {
        sum.sum();
        meet();
        sum.reset();
    }

    // Atomic: one step each.
    void inOneStep() {
        shared.addAndGet(1);
        meet();
    }

    void updated() {
        count.updateAndGet(seen -> seen < 1 ? seen + 1 : seen);
        meet();
    }

    void compared() {
        flag.compareAndSet(false, true);
        meet();
    }

    void otherElement() {
        long seen = slots.get(0);
        meet();
        slots.set(0, seen + 1);
    }

    public static void main(String[] args) throws InterruptedException {
        StepsOfAtomics p = new StepsOfAtomics();
        List<Runnable> methods = List.of(p::set, p::limit, p::once, p::append, p::element, p::handle, p::updater, p::take, p::inOneStep, p::updated, p::compared,
            p::otherElement);
        List<Runnable> others = List.of(() -> shared.incrementAndGet(), () -> p.count.incrementAndGet(), () -> p.flag.getAndSet(true),
            () -> p.name.compareAndSet("a", "c"), () -> p.slots.addAndGet(3, 7), () -> p.size = 7, () -> UPDATER.addAndGet(p, 7), () -> p.sum.add(7),
            () -> shared.addAndGet(2), () -> p.count.updateAndGet(seen -> seen + 1), () -> p.flag.compareAndSet(true, false), () -> p.slots.addAndGet(1, 7));
        Steps.run(() -> methods.forEach(Runnable::run), () -> {
            for (int i = 0; i < others.size(); i++) {
                Steps.await(2 * i + 1);
                others.get(i).run();
                Steps.done(2 * i + 2);
            }
        });
        System.out.println(shared + " " + p.count + p.flag + p.name + p.slots + p.size + p.updated);
    }
}
