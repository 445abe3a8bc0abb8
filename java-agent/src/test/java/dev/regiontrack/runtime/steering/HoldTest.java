package dev.regiontrack.runtime.steering;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.Test;

/** What ends a hold. A hold that fails to end would exceed these time bounds. */
public class HoldTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(10);
    private static final int LIMIT = 120_000;
    private static final Object OBJECT = new Object();
    private static final Step STEP = new Step(null, 0, 0, 0, null, null);

    private static After after(Object object, int element, boolean isCall) {
        return new After(object, element, isCall, STEP);
    }

    private static Candidate candidate() {
        return new Candidate(0, 0, "a.B.f()", null, null, false, LONG, new Pace(0, 0));
    }

    /** Runs a task in another thread to its end. */
    private static void elsewhere(Runnable task) throws InterruptedException {
        Thread thread = new Thread(task);
        thread.start();
        thread.join();
    }

    private static void waitUntilHeld(Thread thread) {
        while (!Hold.isHeld(thread)) {
            Thread.onSpinWait();
        }
    }

    @Test(timeout = LIMIT)
    public void another_thread_that_passes_on_the_same_object_ends_it() throws Exception {
        AtomicReference<After> hold = new AtomicReference<>();
        AtomicBoolean isMet = new AtomicBoolean();
        CountDownLatch made = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            hold.set(after(OBJECT, -1, false));
            made.countDown();
            isMet.set(hold.get().await(LONG));
        });
        thread.start();
        made.await();
        waitUntilHeld(thread);
        hold.get().pass(null, new Object(), -1, null);
        assertTrue(Hold.isHeld(thread));
        hold.get().pass(null, OBJECT, -1, null);
        // Other threads rely on this from now on, not only once the thread runs again.
        assertFalse(Hold.isHeld(thread));
        thread.join();
        assertTrue(isMet.get());
        assertFalse(Hold.isHeld(thread));
    }

    @Test(timeout = LIMIT)
    public void one_that_only_looked_goes_on_alone_until_it_waits_or_has_ended() throws Exception {
        CountDownLatch wait = new CountDownLatch(1);
        AtomicBoolean isToWait = new AtomicBoolean();
        Thread looker = new Thread(() -> {
            while (!isToWait.get()) {
                Thread.onSpinWait();
            }
            try {
                wait.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        looker.start();
        assertFalse(new Next(looker).await(20_000_000));
        isToWait.set(true);
        assertTrue(new Next(looker).await(LONG));
        wait.countDown();
        looker.join();
        assertTrue(new Next(looker).await(LONG));
    }

    @Test(timeout = LIMIT)
    public void who_rests_goes_on_once_the_held_thread_is_through_or_cannot_come_there() throws Exception {
        Object lock = new Object();
        AtomicReference<After> hold = new AtomicReference<>();
        CountDownLatch made = new CountDownLatch(1);
        AtomicBoolean isToEnter = new AtomicBoolean();
        Thread held = new Thread(() -> {
            hold.set(after(OBJECT, -1, false));
            made.countDown();
            while (!isToEnter.get()) {
                Thread.onSpinWait();
            }
            synchronized (lock) {
                isToEnter.set(false);
            }
        });
        held.start();
        made.await();
        assertFalse("it runs", new Rest(candidate(), hold.get()).await(20_000_000));
        synchronized (lock) {
            isToEnter.set(true);
            assertFalse("it needs the lock", new Rest(candidate(), hold.get()).await(LONG));
        }
        held.join();
        assertFalse("it has ended", new Rest(candidate(), hold.get()).await(LONG));
        hold.get().passage.end();
        assertTrue(new Rest(candidate(), hold.get()).await(LONG));
    }

    @Test
    public void candidates_of_which_the_other_thread_only_looks() {
        for (String[] actions : new String[][] {{"read", "write", "read"}, {"read", "read", "read"}, {"write", "read", "read"}}) {
            String[] texts = new String[actions.length];
            for (int i = 0; i < texts.length; i++) {
                texts[i] = "a.B.f:" + i + ' ' + actions[i] + " x";
            }
            Plan.use("0\ta.B.f()\t" + texts[0] + '\t' + texts[0] + '\t' + texts[1] + '\t' + texts[2] + "\t\t10\t0\t0\n", null, 20);
            assertEquals(true, Plan.named(texts[2]).isLook());
        }
        Plan.use("0\ta.B.f()\ta.B.f:1 write x\ta.B.f:1 write x\ta.B.f:2 write x\ta.B.g:3 read x\t\t10\t0\t0\n", null, 20);
        assertFalse(Plan.named("a.B.g:3 read x").isLook());
        Plan.use("0\ta.B.f()\ta.B.f:1 read x\ta.B.f:1 read x\ta.B.f:2 write x\ta.B.g:3 write x\t\t10\t0\t0\n", null, 20);
        assertFalse(Plan.named("a.B.g:3 write x").isLook());
        Plan.use("", null, 20);
    }

    @Test(timeout = LIMIT)
    public void the_end_of_its_plan_ends_it() throws Exception {
        Plan.turnOnForTests(20);
        Plan.steer("0\ta.B.f()\ta.B.f:1 read x\ta.B.f:1 read x\ta.B.f:2 write x\ta.B.g:3 write x\t\t10\t0\t0\n", null, 1);
        Candidate candidate = Plan.place(0).firsts[0];
        AtomicBoolean areMet = new AtomicBoolean();
        Thread inside = new Thread(() -> areMet.compareAndSet(false, new After(OBJECT, -1, candidate).await(LONG)));
        Thread before = new Thread(() -> areMet.compareAndSet(false, new Before(candidate).await(LONG)));
        for (Thread thread : new Thread[] {inside, before}) {
            thread.start();
            waitUntilHeld(thread);
        }
        Plan.end();
        inside.join();
        before.join();
        assertFalse(areMet.get());
        Plan.use("", null, 20);
    }

    @Test
    public void its_own_thread_another_object_or_another_element_do_not_count() throws Exception {
        After hold = after(OBJECT, 1, false);
        hold.pass(null, OBJECT, 1, null);
        assertFalse(hold.isMet());
        elsewhere(() -> hold.pass(null, new Object(), 1, null));
        elsewhere(() -> hold.pass(null, OBJECT, 2, null));
        assertFalse(hold.isMet());
        elsewhere(() -> hold.pass(null, OBJECT, 1, null));
        assertTrue(hold.isMet());
    }

    @Test
    public void an_iterator_counts_as_one_of_the_collection_if_calls_are_passed() throws Exception {
        List<String> list = new ArrayList<>();
        for (boolean isCall : new boolean[] {false, true}) {
            After hold = after(list.iterator(), -1, isCall);
            elsewhere(() -> hold.pass(null, list, -1, null));
            assertEquals(isCall, hold.isMet());
            assertEquals(isCall, hold.isVague());
        }
        After hold = after(list, -1, true);
        elsewhere(() -> hold.pass(null, new ArrayList<>(), -1, null));
        assertFalse(hold.isMet());
        elsewhere(() -> hold.pass(null, list, -1, null));
        assertTrue(hold.isMet());
        assertFalse("it is known which list it was", hold.isVague());
    }

    @Test
    public void where_no_object_is_known_any_counts() throws Exception {
        After one = after(null, -1, false);
        elsewhere(() -> one.pass(null, OBJECT, -1, null));
        After other = after(OBJECT, 3, false);
        elsewhere(() -> other.pass(null, null, -1, null));
        assertTrue(one.isMet() && other.isMet());
    }

    @Test(timeout = LIMIT)
    public void the_time_ends_it() {
        assertFalse(after(OBJECT, -1, false).await(1_000_000));
    }

    @Test(timeout = LIMIT)
    public void an_interruption_ends_it_and_stays() throws Exception {
        AtomicBoolean isInterrupted = new AtomicBoolean();
        Thread thread = new Thread(() -> {
            after(OBJECT, -1, false).await(LONG);
            isInterrupted.set(Thread.currentThread().isInterrupted());
        });
        thread.start();
        waitUntilHeld(thread);
        thread.interrupt();
        thread.join();
        assertTrue(isInterrupted.get());
    }

    @Test(timeout = LIMIT)
    public void a_permit_is_there_afterwards() throws Exception {
        elsewhere(() -> {
            LockSupport.unpark(Thread.currentThread());
            after(OBJECT, -1, false).await(3_000_000);
            LockSupport.park();
        });
    }

    /** The permit is given while the thread sleeps; without it the thread would wait forever. */
    @Test(timeout = LIMIT)
    public void a_permit_that_is_given_meanwhile_is_there_afterwards() throws Exception {
        elsewhere(() -> {
            After hold = after(OBJECT, -1, false);
            Thread other = new Thread(() -> {
                waitUntilHeld(hold.thread);
                while (hold.thread.getState() != Thread.State.TIMED_WAITING) {
                    Thread.onSpinWait();
                }
                LockSupport.unpark(hold.thread);
                hold.pass(null, OBJECT, -1, null);
            });
            other.start();
            hold.await(LONG);
            LockSupport.park();
        });
    }

    @Test(timeout = LIMIT)
    public void who_comes_when_the_thread_has_gone_on_does_not_count() throws Exception {
        Candidate candidate = new Candidate(0, 0, "a.B.f()", null, null, false, LONG, new Pace(0, 0));
        After hold = after(OBJECT, -1, false);
        assertTrue(candidate.begin(hold));
        candidate.end(hold);
        elsewhere(() -> hold.pass(null, OBJECT, -1, null));
        assertFalse(hold.isMet());
    }

    @Test(timeout = LIMIT)
    public void no_permit_is_there_that_the_program_has_not_given() throws Exception {
        AtomicReference<String> order = new AtomicReference<>("");
        CountDownLatch parks = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            After hold = after(OBJECT, -1, false);
            Thread other = new Thread(() -> {
                waitUntilHeld(hold.thread);
                hold.pass(null, OBJECT, -1, null);
            });
            other.start();
            hold.await(LONG);
            parks.countDown();
            LockSupport.park(OBJECT);
            order.updateAndGet(text -> text + " back");
        });
        thread.start();
        parks.await();
        // The thread waits there, unless a permit was left.
        while (LockSupport.getBlocker(thread) != OBJECT && thread.isAlive()) {
            Thread.onSpinWait();
        }
        order.updateAndGet(text -> text + "unpark");
        LockSupport.unpark(thread);
        thread.join();
        assertEquals("unpark back", order.get());
    }

    @Test(timeout = LIMIT)
    public void who_comes_too_early_waits_until_one_is_held() throws Exception {
        Candidate candidate = new Candidate(0, 0, "a.B.f()", null, null, false, LONG, new Pace(0, 0));
        AtomicBoolean isMet = new AtomicBoolean();
        Thread early = new Thread(() -> isMet.set(new Before(candidate).await(LONG)));
        early.start();
        waitUntilHeld(early);
        assertTrue(candidate.begin(after(OBJECT, -1, false)));
        early.join();
        assertTrue(isMet.get());
        assertFalse("two would wait for each other", candidate.begin(after(OBJECT, -1, false)));
    }
}
