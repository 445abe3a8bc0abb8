package uses;

import static schedule.Threads.second;
import static schedule.Threads.third;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.AtomicStampedReference;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Atomic variables and arrays of them, handles and updaters, adders.
 */
class Atomics {
    private static final VarHandle COUNT;
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(String[].class);
    private static final AtomicIntegerFieldUpdater<Atomics> UPDATED = AtomicIntegerFieldUpdater.newUpdater(Atomics.class, "updated");
    private static final AtomicLongFieldUpdater<Atomics> WIDE = AtomicLongFieldUpdater.newUpdater(Atomics.class, "wide");
    private static final AtomicReferenceFieldUpdater<Atomics, String> NAME = AtomicReferenceFieldUpdater.newUpdater(Atomics.class, String.class, "name");

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(Atomics.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private int count;
    private volatile int updated;
    private volatile long wide;
    private volatile String name = "a";
    private final String[] elements = {"a", "b"};
    private final AtomicInteger number = new AtomicInteger();
    private final AtomicLong large = new AtomicLong();
    private final AtomicBoolean flag = new AtomicBoolean();
    private final AtomicReference<String> reference = new AtomicReference<>("a");
    private final AtomicIntegerArray numbers = new AtomicIntegerArray(2);
    private final AtomicLongArray longs = new AtomicLongArray(2);
    private final AtomicReferenceArray<String> names = new AtomicReferenceArray<>(2);
    private final AtomicMarkableReference<String> marked = new AtomicMarkableReference<>("a", false);
    private final AtomicStampedReference<String> stamped = new AtomicStampedReference<>("a", 0);
    private final LongAdder adder = new LongAdder();
    private final DoubleAdder doubles = new DoubleAdder();
    private final LongAccumulator greatest = new LongAccumulator(Long::max, 0);
    private final DoubleAccumulator least = new DoubleAccumulator(Double::min, 9);

    boolean getThenCompareAndSetThatFailsIsAtomic() {
        int seen = number.get();
        second(() -> number.incrementAndGet());
        return number.compareAndSet(seen, seen + 1);
    }

    int getTwiceAroundCompareAndSetThatFailsIsAtomic() {
        int seen = number.get();
        second(() -> number.compareAndSet(7, 8));
        return seen + number.get();
    }

    double doubleValueTwiceAroundSetIsViolated() {
        double value = number.doubleValue();
        second(() -> number.set(3));
        return value + number.floatValue();
    }

    double doubleValueTwiceAroundGetIsAtomic() {
        double value = large.doubleValue();
        second(() -> large.get());
        return value + large.floatValue();
    }

    int getTwiceAroundCompareAndSetIsViolated() {
        int seen = number.get();
        second(() -> number.compareAndSet(0, 8));
        return seen + number.get();
    }

    int incrementThenGetAroundGetIsAtomic() {
        int seen = number.incrementAndGet();
        second(() -> number.get());
        return seen + number.get();
    }

    int incrementThenUpdateAroundGetIsViolated() {
        int seen = number.incrementAndGet();
        second(() -> number.intValue());
        return seen + number.updateAndGet(n -> 2 * n);
    }

    boolean compareAndSetThatFailsTwiceAroundExchangeThatFailsIsAtomic() {
        boolean done = number.compareAndSet(5, 6);
        second(() -> number.compareAndExchange(7, 8));
        return done || number.compareAndSet(5, 6);
    }

    long twoNumbersWithoutOrderIsAtomic() {
        int seen = number.get();
        second(() -> large.incrementAndGet());
        return seen + large.get();
    }

    long twoNumbersInOrderIsViolated() {
        int seen = number.getAndSet(1);
        second(() -> {
            if (number.get() == 1) {
                large.set(1);
            }
        });
        return seen + large.get();
    }

    long threeNumbersByThreeThreadsIsViolated() {
        int seen = number.getAndSet(1);
        second(() -> large.addAndGet(number.get()));
        third(() -> flag.set(large.get() == 1));
        return seen + (flag.get() ? 1 : 0);
    }

    long threeNumbersByThreeThreadsInAnotherOrderIsAtomic() {
        int seen = number.getAndSet(1);
        third(() -> flag.set(large.get() == 1));
        second(() -> large.addAndGet(number.get()));
        return seen + (flag.get() ? 1 : 0);
    }

    boolean flagTwiceAroundLazySetIsViolated() {
        boolean seen = flag.getAcquire();
        second(() -> flag.lazySet(true));
        return seen || flag.getPlain();
    }

    String referenceSwappedThenReadAroundReadIsAtomic() {
        String seen = reference.getAndSet("b");
        second(() -> reference.getOpaque());
        return seen + reference.get();
    }

    String referenceSwappedTwiceAroundReadIsViolated() {
        String seen = reference.getAndSet("b");
        second(() -> reference.getOpaque());
        return seen + reference.getAndSet("c");
    }

    int elementTwiceAroundAnotherElementIsAtomic() {
        int seen = numbers.getAndIncrement(0);
        second(() -> numbers.getAndIncrement(1));
        return seen + numbers.getAndIncrement(0);
    }

    int elementTwiceAroundItIsViolated() {
        int seen = numbers.getAndIncrement(0);
        second(() -> numbers.get(0));
        return seen + numbers.getAndIncrement(0);
    }

    int elementThenAnotherAroundBothIsViolated() {
        int seen = numbers.getAndIncrement(0);
        second(() -> numbers.set(1, numbers.get(0)));
        return seen + numbers.get(1);
    }

    long elementThenSameOfAnotherArrayIsAtomic() {
        long seen = longs.getAndAdd(0, 1);
        second(() -> numbers.set(0, 1));
        return seen + longs.getAndAdd(0, 1);
    }

    String namesAroundCompareAndSetThatFailsIsAtomic() {
        String seen = names.get(1);
        second(() -> names.compareAndSet(1, "x", "y"));
        return seen + names.get(1);
    }

    boolean markAroundAttemptIsViolated() {
        boolean seen = marked.isMarked();
        second(() -> marked.attemptMark("a", true));
        return seen || marked.isMarked();
    }

    boolean markAroundAttemptThatFailsIsAtomic() {
        boolean seen = marked.isMarked();
        second(() -> marked.attemptMark("none", true));
        return seen || marked.isMarked();
    }

    int stampThenReferenceAroundSetIsViolated() {
        int stamp = stamped.getStamp();
        second(() -> stamped.set("b", 1));
        return stamp + stamped.getReference().length();
    }

    int stampThenReferenceAroundGetIsAtomic() {
        int stamp = stamped.getStamp();
        second(() -> stamped.get(new int[1]));
        return stamp + stamped.getReference().length();
    }

    int handleThenFieldAroundFieldIsViolated() {
        int seen = (int) COUNT.getVolatile(this);
        second(() -> count = 5);
        return seen + count;
    }

    int fieldThenHandleAroundHandleIsViolated() {
        int seen = count;
        second(() -> {
            int before = (int) COUNT.getAndAdd(this, 1);
            Atomics.this.updated = before;
        });
        return seen + (int) COUNT.getAcquire(this);
    }

    int handleTwiceAroundFieldReadIsAtomic() {
        int seen = (int) COUNT.getVolatile(this);
        second(() -> updated = count);
        return seen + (int) COUNT.getVolatile(this);
    }

    String handleOfElementAroundAnotherIsAtomic() {
        String seen = (String) ELEMENT.getAndSet(elements, 0, "c");
        second(() -> elements[1] = "d");
        return seen + (String) ELEMENT.getAndSet(elements, 0, "e");
    }

    String handleOfElementAroundItIsViolated() {
        String seen = (String) ELEMENT.getAndSet(elements, 0, "c");
        second(() -> elements[0] = "d");
        return seen + (String) ELEMENT.getAndSet(elements, 0, "e");
    }

    boolean handleThatFailsAroundAnotherThatFailsIsAtomic() {
        boolean done = COUNT.compareAndSet(this, 7, 8);
        second(() -> COUNT.compareAndSet(this, 9, 8));
        return done || COUNT.compareAndSet(this, 7, 8);
    }

    int updaterThenFieldAroundUpdaterIsViolated() {
        int seen = UPDATED.get(this);
        second(() -> UPDATED.incrementAndGet(this));
        return seen + updated;
    }

    long updaterAroundAnotherFieldIsAtomic() {
        int seen = UPDATED.incrementAndGet(this);
        second(() -> WIDE.incrementAndGet(this));
        return seen + UPDATED.incrementAndGet(this);
    }

    long updaterOfAnotherObjectIsAtomic() {
        Atomics other = new Atomics();
        long seen = WIDE.incrementAndGet(this);
        second(() -> WIDE.incrementAndGet(other));
        return seen + WIDE.incrementAndGet(this);
    }

    String updaterOfReferenceAroundFieldIsViolated() {
        String seen = NAME.getAndSet(this, "b");
        second(() -> name = "c");
        return seen + NAME.get(this);
    }

    int addTwiceAroundAddsOfTwoThreadsIsAtomic() {
        adder.increment();
        second(() -> adder.add(2));
        third(() -> adder.decrement());
        adder.increment();
        return 1;
    }

    int addTwiceAroundSumIsViolated() {
        adder.increment();
        second(() -> adder.sum());
        adder.increment();
        return 1;
    }

    long addThenSumAroundAddIsAtomic() {
        adder.increment();
        second(() -> adder.increment());
        return adder.sum();
    }

    long sumThenSumAroundAddIsViolated() {
        long sum = adder.sum();
        second(() -> adder.increment());
        return sum + adder.intValue();
    }

    double resetThenSumAroundAddIsViolated() {
        double sum = doubles.sumThenReset();
        second(() -> doubles.add(1));
        return sum + doubles.sum();
    }

    double sumTwiceAroundSumIsAtomic() {
        doubles.add(2);
        second(() -> doubles.sum());
        return doubles.sum();
    }

    long accumulateTwiceAroundAccumulateIsAtomic() {
        greatest.accumulate(3);
        second(() -> greatest.accumulate(4));
        greatest.accumulate(5);
        return 1;
    }

    double getThenResetAroundAccumulateIsViolated() {
        double seen = least.get();
        second(() -> least.accumulate(4));
        return seen + least.getThenReset();
    }
}
