package dev.regiontrack.runtime.steering;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** Candidates with several steps: which thread passes which step of which object, and which waits for which. A hold that fails to end would exceed these time bounds. */
public class StepsTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(10);
    private static final int LIMIT = 120_000;
    private static final Object ONE = new Object();
    private static final Object OTHER = new Object();
    private static final String PLACES = "1\t0\ta.B.f:1 read x\ta.B.f:1 acquire\t1\t1\ta.B.f:2 write y\ta.B.f:2 write y\t"
        + "2\t1\ta.B.g:3 read y\ta.B.g:3 acquire\t1\t-1\ta.B.f:4 read z\ta.B.f:4 read z";
    private static final String LINE = "0\ta.B.m()\ta.B.m:7 write x\ta.B.m:7 write x\ta.B.m:8 read z\ta.B.f:4 read z\t\t" + PLACES + "\t20\t0\t0\n";

    private final ExecutorService b = Executors.newSingleThreadExecutor();
    private final ExecutorService c = Executors.newSingleThreadExecutor();
    private Candidate candidate;
    private Step[] steps;

    @org.junit.Before
    public void plan() {
        Plan.use(LINE, null, 20);
        candidate = Plan.named("a.B.m:7 write x").firsts[0];
        steps = candidate.steps();
    }

    @org.junit.After
    public void end() {
        b.shutdown();
        c.shutdown();
        Plan.use("", null, 20);
    }

    private After hold() {
        return new After(ONE, -1, candidate);
    }

    /** Returns whether a thread has passed a step in its turn. */
    private static boolean pass(ExecutorService by, After hold, Step step, Object object) throws Exception {
        return by.submit(() -> hold.pass(step.place, object, -1, null)).get() == step;
    }

    @Test
    public void a_plan_says_who_waits_where() {
        assertEquals(4, steps.length);
        boolean[] areFirst = new boolean[4];
        int[] until = new int[4];
        for (int i = 0; i < steps.length; i++) {
            areFirst[i] = steps[i].isFirst;
            until[i] = steps[i].until;
        }
        assertArrayEquals(new boolean[] {true, false, true, false}, areFirst);
        // One thread waits only after its second step, for the other thread's.
        assertArrayEquals(new int[] {0, 2, 2, 3}, until);
        assertTrue(Plan.named("a.B.g:3 acquire").isBefore());
        assertFalse("nobody waits before the first step, unless the plan says so", Plan.named("a.B.f:1 acquire").isBefore());
        assertFalse(candidate.isLook);
    }

    @Test
    public void steps_are_passed_in_their_order_each_by_its_own_thread() throws Exception {
        After hold = hold();
        assertFalse("it is not its turn", pass(c, hold, steps[2], OTHER));
        assertFalse("of another object than the first place", pass(b, hold, steps[0], OTHER));
        assertTrue(pass(b, hold, steps[0], ONE));
        assertFalse("that is the other one's", pass(c, hold, steps[1], OTHER));
        assertFalse("to be of another object", pass(b, hold, steps[1], ONE));
        assertTrue(pass(b, hold, steps[1], OTHER));
        assertFalse("it has steps of its own", pass(b, hold, steps[2], OTHER));
        assertFalse("to be of the same object", pass(c, hold, steps[2], ONE));
        assertTrue(pass(c, hold, steps[2], OTHER));
        assertFalse(hold.isMet());
        assertTrue("of whichever", pass(b, hold, steps[3], null));
        assertTrue(hold.isMet());
        assertFalse("it is over", pass(b, hold, steps[0], ONE));
    }

    @Test
    public void another_thread_can_take_the_place_of_one_that_has_begun() throws Exception {
        After hold = hold();
        assertTrue(pass(b, hold, steps[0], ONE));
        assertTrue(pass(c, hold, steps[0], ONE));
        assertFalse(pass(b, hold, steps[1], OTHER));
        assertTrue(pass(c, hold, steps[1], OTHER));
        assertTrue(pass(b, hold, steps[2], OTHER));
        assertFalse("others have come after it", pass(b, hold, steps[0], ONE));
        assertEquals(3, hold.passed());
    }

    /** The first thread is held before its last place, which accesses {@code object}. */
    private After late(String lastStep, Object object, int element) {
        String line = "0\ta.B.m()\ta.B.m:7 write x\ta.B.m:8 write []\ta.B.m:8 write []\ta.B.f:4 read []\t\t1\t0\ta.B.f:1 read x\t\t" + lastStep + "\t20\t0\t0\n";
        Plan.use(line, null, 20);
        candidate = Plan.named("a.B.m:7 write x").firsts[0];
        steps = candidate.steps();
        assertTrue(candidate.isHeldBefore && Plan.named("a.B.m:8 write []").isApproached() && Plan.named("a.B.m:7 write x").isHeldLater());
        return new After(object, element, candidate);
    }

    @Test
    public void before_its_last_place_a_thread_waits_for_others_on_the_object_of_that() throws Exception {
        After hold = late("1\t1\ta.B.f:4 read []\t", OTHER, 3);
        assertFalse("that is another one", pass(b, hold, steps[0], OTHER));
        assertTrue("whichever the first place was about", pass(b, hold, steps[0], ONE));
        assertNull("another element", b.submit(() -> hold.pass(steps[1].place, OTHER, 4, null)).get());
        assertNull("another array", b.submit(() -> hold.pass(steps[1].place, new Object(), 3, null)).get());
        assertFalse(hold.isMet());
        assertEquals(steps[1], b.submit(() -> hold.pass(steps[1].place, OTHER, 3, null)).get());
        assertTrue(hold.isMet());
    }

    /** Calls itself, and a method of its name that does not. */
    private static final class Overloads {
        boolean call(Candidate of) {
            return call(of, 0);
        }

        boolean call(Candidate of, int times) {
            return times > 0 ? call(of, times - 1) : OnStack.of(of).isTooDeep();
        }
    }

    @Test
    public void a_call_within_another_one_of_the_same_method_is_too_deep() {
        Candidate of = new Candidate(0, 0, Overloads.class.getName() + ".call(..)", null, candidate.hold, false, 1, new Pace(0, 0));
        of.isHeldBefore = true;
        assertFalse("an overload", new Overloads().call(of));
        assertTrue(new Overloads().call(of, 1));
        of.isHeldBefore = false;
        assertFalse("it is held as early as possible", new Overloads().call(of, 1));
    }

    @Test
    public void before_its_last_place_all_steps_can_be_on_its_object() throws Exception {
        After hold = late("1\t0\ta.B.f:4 read []\t", ONE, 3);
        assertFalse(pass(b, hold, steps[0], OTHER));
        assertTrue("whichever element", pass(b, hold, steps[0], ONE));
        assertNull(b.submit(() -> hold.pass(steps[1].place, ONE, 4, null)).get());
        assertEquals(steps[1], b.submit(() -> hold.pass(steps[1].place, ONE, 3, null)).get());
    }

    @Test
    public void one_pass_is_one_step_where_two_are_at_one_place_on_another_element() throws Exception {
        String twice = "1\t0\ta.B.f:1 write []\t\t1\t0\ta.B.f:1 write []\t";
        Plan.use("0\ta.B.m()\ta.B.m:7 read []\ta.B.m:7 read []\ta.B.m:8 read []\ta.B.f:1 write []\t\t" + twice + "\t20\t0\t0\n", null, 20);
        Candidate of = Plan.named("a.B.m:7 read []").firsts[0];
        After hold = new After(ONE, 3, of);
        Place place = of.steps()[0].place;
        assertNull("another element than that of the first place", b.submit(() -> hold.pass(place, ONE, 4, null)).get());
        assertEquals(of.steps()[0], b.submit(() -> hold.pass(place, ONE, 3, null)).get());
        assertFalse(hold.isMet());
        assertEquals(of.steps()[1], b.submit(() -> hold.pass(place, ONE, 4, null)).get());
        assertTrue(hold.isMet());
    }

    @Test
    public void who_can_be_next_does_not_wait() throws Exception {
        After hold = hold();
        Place first = steps[0].place;
        Place gate = steps[2].gate;
        assertTrue(c.submit(() -> hold.isDueAt(first)).get());
        assertFalse(c.submit(() -> hold.isDueAt(gate)).get());
        pass(b, hold, steps[0], ONE);
        assertTrue("it has a step behind it", b.submit(() -> hold.isDueAt(gate)).get());
        assertFalse(c.submit(() -> hold.isDueAt(gate)).get());
        pass(b, hold, steps[1], OTHER);
        assertTrue(c.submit(() -> hold.isDueAt(gate)).get());
    }

    @Test(timeout = LIMIT)
    public void a_thread_waits_for_its_turn_as_long_as_one_is_held_in_the_block() throws Exception {
        After hold = hold();
        Future<Boolean> waits = c.submit(() -> new Between(hold, 2).await(LONG));
        pass(b, hold, steps[0], ONE);
        pass(b, hold, steps[1], OTHER);
        assertTrue(waits.get());
        Future<Boolean> inVain = c.submit(() -> new Between(hold, 4).await(LONG));
        hold.go();
        assertFalse(inVain.get());
    }
}
