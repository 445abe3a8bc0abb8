package dev.regiontrack.runtime.replay;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.Test;

/** Which thread waits for which switch point. A hold that fails to end would exceed these time bounds. */
public class OrderTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(10);
    private static final int LIMIT = 120_000;

    private final Point[] points = {point(0, "a", 1), point(1, "a", 2), point(2, "b", 1), point(3, "a", 1)};
    private final Order order = new Order(points);

    /** Returns whether it was the point's turn. */
    /** Returns a point of a thread; the one in the block is {@code a}. */
    private static Point point(int index, String thread, int times) {
        return new Point(index, thread, null, times, null, thread.equals("a"));
    }

    private boolean passes(Point point) {
        boolean isInTurn = order.isTurnOf(point);
        order.pass(point);
        return isInTurn;
    }

    @Test
    public void who_has_passed_a_point_waits_for_the_next_ones_if_they_are_another_threads() {
        assertEquals(0, order.untilBehind(points[0]));
        assertEquals(3, order.untilBehind(points[1]));
        assertEquals(4, order.untilBehind(points[2]));
        assertEquals(0, order.untilBehind(points[3]));
    }

    @Test
    public void who_has_passed_a_point_waits_for_all_that_come_before_its_own_next_one() {
        Point[] all = new Point[6];
        for (int i = 0; i < all.length; i++) {
            all[i] = point(i, "abcbac".substring(i, i + 1), i + 1);
        }
        Order longer = new Order(all);
        int[] until = {4, 3, 5, 5, 6, 0};
        for (int i = 0; i < all.length; i++) {
            assertEquals("point " + i, until[i], longer.untilBehind(all[i]));
        }
        Point[] third = {point(0, "a", 1), point(1, "b", 1), point(2, "c", 1)};
        assertEquals("it may have what the third one needs", 0, new Order(third).untilBehind(third[1]));
        assertEquals(3, new Order(third).untilBehind(third[0]));
    }

    @Test
    public void the_thread_in_the_block_is_known_though_another_one_begins() {
        Point[] all = {point(0, "b", 1), point(1, "c", 1), point(2, "a", 1)};
        Order others = new Order(all);
        assertTrue(others.isOfHolder(all[2]));
        assertFalse(others.isOfHolder(all[0]));
        assertEquals("it waits for no point of a third one behind its last", 0, others.untilBehind(all[0]));
    }

    @Test
    public void a_run_leaves_the_schedule_once() {
        assertTrue(order.open());
        assertFalse(order.open());
        assertTrue(order.isOpen());
    }

    @Test
    public void who_comes_early_waits_and_nobody_waits_for_itself() {
        assertFalse(order.isEarly(points[0]));
        assertFalse(order.isEarly(points[1]));
        assertTrue(order.isEarly(points[2]));
        // The remaining point before it is its own, too.
        assertFalse(order.isEarly(points[3]));
        order.pass(points[0]);
        order.pass(points[1]);
        assertFalse(order.isEarly(points[2]));
        assertTrue(order.isEarly(points[3]));
    }

    @Test
    public void who_comes_to_wait_behind_a_point_too_late_waits_for_what_a_looker_does_next() {
        assertFalse(order.hasToWait(0));
        assertTrue(order.hasToWait(3));
        order.pass(points[0]);
        order.pass(points[1]);
        order.pass(points[2]);
        assertFalse(order.hasToWait(3));
        points[2].looker = Thread.currentThread();
        assertTrue(order.hasToWait(3));
        assertFalse(order.hasToWait(2));
    }

    @Test
    public void points_count_in_their_turn() {
        assertTrue(passes(points[0]));
        assertTrue(passes(points[1]));
        assertTrue(passes(points[2]));
        assertTrue(passes(points[3]));
        assertEquals(4, order.next());
    }

    @Test
    public void a_point_that_was_passed_too_early_holds_nobody_later() {
        assertFalse(passes(points[2]));
        assertEquals(0, order.next());
        assertFalse(order.isEarly(points[2]));
        order.pass(points[0]);
        assertTrue(passes(points[1]));
        assertEquals(3, order.next());
    }

    @Test(timeout = LIMIT)
    public void a_thread_before_its_turn_is_held_until_the_others_have_passed() throws Exception {
        AtomicReference<String> log = new AtomicReference<>("");
        AtomicReference<Turn> turn = new AtomicReference<>();
        Thread b = new Thread(() -> {
            turn.set(new Turn(order, 2, null));
            assertTrue(turn.get().await(LONG));
            log.updateAndGet(text -> text + " b");
        });
        b.start();
        while (turn.get() == null) {
            Thread.onSpinWait();
        }
        order.pass(points[0]);
        assertFalse(turn.get().isMet());
        log.updateAndGet(text -> text + "a");
        order.pass(points[1]);
        b.join();
        assertEquals("a b", log.get());
    }

    @Test(timeout = LIMIT)
    public void nobody_waits_for_its_turn_in_a_run_that_goes_another_way() throws Exception {
        AtomicReference<Boolean> isMet = new AtomicReference<>();
        Thread b = new Thread(() -> isMet.set(new Turn(order, 2, null).await(LONG)));
        b.start();
        assertTrue(order.open());
        assertFalse(order.open());
        b.join();
        assertEquals(false, isMet.get());
    }
}
