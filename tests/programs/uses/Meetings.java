package uses;

import static schedule.Threads.second;
import static schedule.Threads.secondEnds;
import static schedule.Threads.secondWaits;
import static schedule.Threads.third;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Latches, semaphores, barriers, phasers, exchangers and interruptions, after another thread has read what the method wrote, or without that.
 */
class Meetings {
    private final CountDownLatch latch = new CountDownLatch(1);
    private final CountDownLatch two = new CountDownLatch(2);
    private final Semaphore none = new Semaphore(0);
    private final Semaphore single = new Semaphore(1, true);
    private final Semaphore many = new Semaphore(4);
    private final CyclicBarrier barrier = new CyclicBarrier(2);
    private final Phaser phaser = new Phaser(2);
    private final Exchanger<Object> exchanger = new Exchanger<>();
    private int value;
    private int reply;

    int latchAfterReadIsViolated() throws InterruptedException {
        value = 1;
        second(() -> {
            if (value == 1) {
                latch.countDown();
            }
        });
        latch.await();
        return 1;
    }

    int latchWithoutReadIsAtomic() throws InterruptedException {
        value = 1;
        second(() -> latch.countDown());
        latch.await();
        return value;
    }

    long latchThatIsNotOpenIsAtomic() {
        value = 1;
        second(() -> {
            if (value == 1) {
                two.countDown();
            }
        });
        return two.getCount();
    }

    long latchOfTwoThreadsIsViolated() {
        value = 1;
        second(() -> {
            if (value == 1) {
                two.countDown();
            }
        });
        third(() -> two.countDown());
        return two.getCount();
    }

    long latchOfOwnCountDownIsAtomic() throws InterruptedException {
        value = 1;
        latch.countDown();
        second(() -> latch.await());
        return value;
    }

    boolean latchThatIsTriedInVainIsAtomic() throws InterruptedException {
        value = 1;
        boolean isOpen = latch.await(1, TimeUnit.NANOSECONDS);
        second(() -> {
            if (value == 1) {
                latch.countDown();
            }
        });
        return isOpen;
    }

    int latchesInAChainIsViolated() throws InterruptedException {
        latch.countDown();
        second(() -> {
            latch.await();
            two.countDown();
        });
        third(() -> two.countDown());
        two.await();
        return 1;
    }

    int permitAfterReadIsViolated() throws InterruptedException {
        value = 1;
        second(() -> none.release(value));
        none.acquire();
        return 1;
    }

    int permitWithoutReadIsAtomic() throws InterruptedException {
        value = 1;
        second(() -> none.release());
        none.acquire();
        return value;
    }

    int twoSectionsAroundOneIsViolated() throws InterruptedException {
        single.acquire();
        single.release();
        second(() -> {
            single.acquire();
            single.release();
        });
        single.acquire();
        single.release();
        return 1;
    }

    int oneSectionAroundTryThatFailsIsAtomic() throws InterruptedException {
        single.acquire();
        second(() -> single.tryAcquire());
        single.release();
        return 1;
    }

    int sectionsWithSparesIsAtomic() throws InterruptedException {
        many.acquire();
        many.release();
        second(() -> {
            many.acquire();
            many.release();
        });
        many.acquire();
        many.release();
        return 1;
    }

    int sectionsThatTakeAllIsViolated() throws InterruptedException {
        many.acquire(4);
        many.release(4);
        second(() -> {
            many.acquire(4);
            many.release(4);
        });
        many.acquire();
        many.release();
        return 1;
    }

    int drainedByOtherIsViolated() throws InterruptedException {
        single.acquire();
        single.release();
        second(() -> {
            if (single.drainPermits() == 1) {
                single.release();
            }
        });
        single.acquire();
        single.release();
        return 1;
    }

    int permitForEnoughIsAtomic() {
        value = 1;
        second(() -> many.release(value));
        return many.tryAcquire() ? value : 0;
    }

    int barrierAfterReadIsViolated() throws InterruptedException, BrokenBarrierException {
        value = 1;
        secondWaits(() -> {
            if (value == 1) {
                barrier.await();
            }
        });
        barrier.await();
        secondEnds();
        return 1;
    }

    int barrierWithoutReadIsAtomic() throws InterruptedException, BrokenBarrierException {
        value = 1;
        secondWaits(() -> barrier.await());
        int left = barrier.await();
        secondEnds();
        return left;
    }

    int barrierThenReadOfReplyIsViolated() throws InterruptedException, BrokenBarrierException {
        secondWaits(() -> {
            barrier.await();
            reply = 1;
        });
        barrier.await();
        secondEnds();
        return reply;
    }

    int arrivalOnlyIsAtomic() {
        value = 1;
        second(() -> phaser.arrive());
        return phaser.arrive() + value;
    }

    int phaseOverAfterReadIsViolated() {
        phaser.arrive();
        value = 1;
        second(() -> {
            if (value == 1) {
                phaser.arrive();
            }
        });
        return phaser.awaitAdvance(0);
    }

    int phaseOverAfterOwnArrivalIsViolated() {
        phaser.arrive();
        second(() -> phaser.arrive());
        return phaser.awaitAdvance(0);
    }

    boolean phaseNotOverIsAtomic() throws InterruptedException {
        value = 1;
        second(() -> {
            if (value == 1) {
                phaser.arrive();
            }
        });
        try {
            return phaser.awaitAdvanceInterruptibly(0, 1, TimeUnit.NANOSECONDS) == 0;
        } catch (TimeoutException e) {
            return false;
        }
    }

    int phaseOfTwoOthersWithoutReadIsAtomic() {
        value = 1;
        second(() -> phaser.arrive());
        third(() -> phaser.arriveAndDeregister());
        return phaser.awaitAdvance(0);
    }

    int phaseOfTwoOthersAfterReadIsViolated() {
        value = 1;
        second(() -> {
            if (value == 1) {
                phaser.arrive();
            }
        });
        third(() -> phaser.arriveAndDeregister());
        return phaser.awaitAdvance(0);
    }

    boolean exchangeTwiceIsViolated() throws InterruptedException {
        Object own = new Object();
        secondWaits(() -> exchanger.exchange("theirs"));
        Object theirs = exchanger.exchange(own);
        secondEnds();
        secondWaits(() -> exchanger.exchange(new Object()));
        Object others = exchanger.exchange(own);
        secondEnds();
        return theirs != others;
    }

    boolean exchangeAfterReadIsViolated() throws InterruptedException {
        value = 1;
        secondWaits(() -> exchanger.exchange(value == 1 ? new Object() : "theirs"));
        Object theirs = exchanger.exchange(this);
        secondEnds();
        return theirs != this;
    }

    boolean interruptionAfterReadIsViolated() {
        Thread thread = Thread.currentThread();
        value = 1;
        second(() -> {
            if (value == 1) {
                thread.interrupt();
            }
        });
        return Thread.interrupted();
    }

    boolean interruptionWithoutReadIsAtomic() {
        Thread thread = Thread.currentThread();
        value = 1;
        second(() -> thread.interrupt());
        return Thread.interrupted();
    }

    boolean interruptionOfAnotherIsAtomic() {
        value = 1;
        second(() -> {
            if (value == 1) {
                Thread.currentThread().interrupt();
                Thread.interrupted();
            }
        });
        return Thread.interrupted();
    }
}
