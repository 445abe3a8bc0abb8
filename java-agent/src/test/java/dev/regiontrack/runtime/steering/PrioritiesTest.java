package dev.regiontrack.runtime.steering;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.After;
import org.junit.Test;

/** What is drawn for a seed, and for which threads a thread waits. A delay that fails to end would exceed these time bounds. */
public class PrioritiesTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(10);
    private static final int LIMIT = 120_000;

    @After
    public void no_thread_has_a_priority() {
        Rank.forgetAll();
    }

    @Test
    public void what_is_drawn_follows_from_the_seed() {
        long[] changes = Priorities.drawn(7, 50, 1000);
        assertArrayEquals(changes, Priorities.drawn(7, 50, 1000));
        assertFalse(Arrays.equals(changes, Priorities.drawn(8, 50, 1000)));
        for (int n = 0; n < changes.length; n++) {
            assertTrue(changes[n] >= 1 && changes[n] <= 1000 && (n == 0 || changes[n - 1] <= changes[n]));
        }
        assertEquals(0, Priorities.drawn(7, 0, 1000).length);
        assertEquals(Chance.of(7, 3).below(1 << 30), Chance.of(7, 3).below(1 << 30));
        assertFalse(Chance.of(7, 3).below(1 << 30) == Chance.of(7, 4).below(1 << 30));
    }

    @Test
    public void where_threads_go_on_late_they_sleep_less_so_that_delays_take_no_longer() {
        Lateness lateness = new Lateness();
        assertEquals(20, lateness.sleep(20, 1));
        // Each sleep takes 26 longer than requested: soon only the excess is left.
        for (int n = 0; n < 50; n++) {
            long sleep = lateness.sleep(40, 1);
            lateness.add(sleep, sleep + 26);
        }
        assertTrue("" + lateness.expected(), lateness.expected() >= 23 && lateness.expected() <= 26);
        assertEquals(1, lateness.sleep(20, 1));
        long sleep = lateness.sleep(40, 1);
        assertTrue("" + sleep, sleep >= 14 && sleep <= 17);
        // On a quiet machine the lateness is forgotten.
        for (int n = 0; n < 50; n++) {
            lateness.add(20, 20);
        }
        assertTrue("" + lateness.expected(), lateness.expected() <= 3);
    }

    /** A thread with a priority that runs until it is told to wait, and then until it is told to end. */
    private static final class Other {
        final CountDownLatch waits = new CountDownLatch(1);
        final CountDownLatch ends = new CountDownLatch(1);
        private final AtomicBoolean isToWait = new AtomicBoolean();
        private final Thread thread;

        Other(int priority) throws InterruptedException {
            CountDownLatch runs = new CountDownLatch(1);
            thread = new Thread(() -> {
                new Rank(priority, new Chance(1)).add();
                runs.countDown();
                while (!isToWait.get()) {
                    Thread.onSpinWait();
                }
                waits.countDown();
                try {
                    ends.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            thread.start();
            runs.await();
        }

        void waitNow() throws InterruptedException {
            isToWait.set(true);
            waits.await();
            while (thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        }

        void end() throws InterruptedException {
            ends.countDown();
            thread.join();
        }
    }

    @Test(timeout = LIMIT)
    public void a_thread_is_behind_one_of_a_greater_priority_while_that_runs() throws Exception {
        Rank rank = new Rank(5, new Chance(1));
        rank.add();
        Other lower = new Other(4);
        assertFalse(rank.isBehind());
        Other greater = new Other(6);
        assertTrue(rank.isBehind());
        greater.waitNow();
        assertFalse(rank.isBehind());
        lower.waitNow();
        lower.end();
        greater.end();
    }

    @Test(timeout = LIMIT)
    public void a_delay_ends_when_the_other_thread_waits() throws Exception {
        Other greater = new Other(6);
        AtomicReference<Boolean> isMet = new AtomicReference<>();
        Thread thread = new Thread(() -> isMet.set(new Behind(new Rank(5, new Chance(1))).await(LONG)));
        thread.start();
        while (!Hold.isHeld(thread)) {
            Thread.onSpinWait();
        }
        assertEquals(null, isMet.get());
        greater.waitNow();
        thread.join();
        assertEquals(true, isMet.get());
        greater.end();
    }

    /** Otherwise each look would lead to looks at all held threads, and those to further looks. */
    @Test(timeout = LIMIT)
    public void only_the_thread_itself_looks_whether_it_is_behind() throws Exception {
        AtomicReference<Behind> behind = new AtomicReference<>();
        CountDownLatch made = new CountDownLatch(1);
        CountDownLatch look = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            behind.set(new Behind(new Rank(5, new Chance(1))));
            made.countDown();
            try {
                look.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            assertTrue(behind.get().isMet());
        });
        thread.start();
        made.await();
        assertFalse(behind.get().isMet());
        look.countDown();
        thread.join();
        assertTrue(behind.get().isMet());
    }

    @Test(timeout = LIMIT)
    public void the_time_ends_it() throws Exception {
        Other greater = new Other(6);
        assertFalse(new Behind(new Rank(5, new Chance(1))).await(1_000_000));
        greater.waitNow();
        greater.end();
    }
}
