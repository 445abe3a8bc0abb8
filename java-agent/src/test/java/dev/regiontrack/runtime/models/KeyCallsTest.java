package dev.regiontrack.runtime.models;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.Test;

/** Overlapping calls of one key with known effects: calls that are ordered are in the order of their effects. */
public class KeyCallsTest {
    private static final int THREADS = 3;
    private static final Object[] NUMBERS = {1, 2, 3};
    /** The first two are equal. */
    private static final Object[] OBJECTS = {"one", String.valueOf(new char[] {'o', 'n', 'e'}), new Object()};
    private static final KeyStep[] STEPS = {KeyStep.GET, KeyStep.GET_OR_DEFAULT, KeyStep.CONTAINS, KeyStep.PUT, KeyStep.PUT_IF_ABSENT, KeyStep.REMOVE, KeyStep.REMOVE_VALUE,
        KeyStep.REPLACE, KeyStep.REPLACE_VALUE, KeyStep.COMPUTE, KeyStep.COMPUTE_IF_ABSENT, KeyStep.COMPUTE_IF_PRESENT};

    /** A call, from its begin to its end. */
    private static final class Call {
        final int thread;
        final KeyStep step;
        final Object old;
        final Object value;
        int from;
        int began;
        int acted = -1;
        Object result;
        boolean answer;
        boolean isWrite;
        boolean isRecorded;

        Call(int thread, KeyStep step, Object old, Object value) {
            this.thread = thread;
            this.step = step;
            this.old = old;
            this.value = value;
        }

        boolean canWrite() {
            return step != KeyStep.GET && step != KeyStep.GET_OR_DEFAULT && step != KeyStep.CONTAINS;
        }

        /** Returns the value for the key after the call, given the value before it. */
        Object act(Object there, int now) {
            acted = now;
            result = there;
            switch (step) {
                case GET_OR_DEFAULT: result = there == null ? value : there; return there;
                case CONTAINS: answer = there != null; return there;
                case PUT: isWrite = true; return value;
                case PUT_IF_ABSENT: isWrite = there == null; return there == null ? value : there;
                case REMOVE: isWrite = there != null; return null;
                case REMOVE_VALUE: answer = isWrite = old.equals(there); return isWrite ? null : there;
                case REPLACE: isWrite = there != null; return isWrite ? value : null;
                case REPLACE_VALUE: answer = isWrite = old.equals(there); return isWrite ? value : there;
                case COMPUTE: result = value; isWrite = true; return value;
                case COMPUTE_IF_ABSENT: result = there == null ? value : there; return result;
                case COMPUTE_IF_PRESENT: result = there == null ? null : value; isWrite = there != null; return result;
                default: return there;
            }
        }

        long found() {
            return step.found(result, answer, given());
        }

        private long given() {
            return KeyState.of(step == KeyStep.REMOVE_VALUE || step == KeyStep.REPLACE_VALUE ? old : value);
        }

        long left() {
            return step.left(result, answer, KeyState.of(value));
        }

        boolean isBefore(Call other) {
            return isRecorded && thread != other.thread && (isWrite || other.isWrite);
        }

        @Override
        public String toString() {
            return thread + " " + step + " " + old + " " + value + " began " + began + " acted " + acted;
        }
    }

    /** Ends a call. Returns whether it is recorded. */
    private static boolean end(KeyCalls calls, List<Call> ended, Call call) {
        boolean overlaps = false;
        for (Call other : ended.subList(call.from, ended.size())) {
            overlaps |= other.isBefore(call);
        }
        call.isRecorded = !overlaps || calls.isLast(call.from, 0, call.canWrite(), call.isWrite, call.found(), call.left(), call.thread);
        calls.end(call.from, 0, call.canWrite(), call.isWrite, call.isRecorded, call.found(), call.left(), call.thread);
        ended.add(call);
        return call.isRecorded && overlaps;
    }

    /** Returns how many calls were ordered. */
    private static int run(long seed, Object[] values) {
        Random random = new Random(seed);
        KeyCalls calls = new KeyCalls(0);
        Call[] running = new Call[THREADS + 1];
        List<Call> ended = new ArrayList<>();
        Object there = random.nextBoolean() ? null : values[0];
        int ordered = 0;
        for (int now = 0; now < 24; now++) {
            int thread = 1 + random.nextInt(THREADS);
            Call call = running[thread];
            if (call == null) {
                call = new Call(thread, STEPS[random.nextInt(STEPS.length)], values[random.nextInt(3)], values[random.nextInt(3)]);
                call.began = now;
                call.from = calls.begin(call.canWrite(), thread);
                running[thread] = call;
            } else if (call.acted < 0) {
                there = call.act(there, now);
            } else {
                running[thread] = null;
                ordered += end(calls, ended, call) ? 1 : 0;
                for (Call other : ended) {
                    assertTrue(seed + ": " + ended, !call.isRecorded || !other.isBefore(call) || other.acted <= call.acted);
                }
            }
        }
        return ordered;
    }

    @Test
    public void no_order_of_calls_that_overlap_is_invented() {
        int ordered = 0;
        for (long seed = 0; seed < 200_000; seed++) {
            ordered += run(seed, seed % 2 == 0 ? NUMBERS : OBJECTS);
        }
        assertTrue(ordered + " ordered", ordered > 20_000);
    }

    /** Returns whether the second of two overlapping calls that act in this order is put after the first. */
    private static boolean isTold(KeyStep first, KeyStep second, Object there) {
        KeyCalls calls = new KeyCalls(0);
        Call one = new Call(1, first, 1, 2);
        Call other = new Call(2, second, 1, 3);
        one.from = calls.begin(one.canWrite(), 1);
        other.from = calls.begin(other.canWrite(), 2);
        other.act(one.act(there, 0), 1);
        List<Call> ended = new ArrayList<>();
        end(calls, ended, one);
        return end(calls, ended, other);
    }

    @Test
    public void what_the_later_call_has_found_tells_that_it_is_later() {
        assertTrue(isTold(KeyStep.REMOVE, KeyStep.REMOVE, 1));
        assertTrue(isTold(KeyStep.REMOVE_VALUE, KeyStep.REMOVE_VALUE, 1));
        assertTrue(isTold(KeyStep.PUT, KeyStep.GET, null));
        assertTrue(isTold(KeyStep.PUT, KeyStep.GET, 1));
        assertTrue(isTold(KeyStep.GET, KeyStep.PUT, 1));
        assertTrue(isTold(KeyStep.PUT, KeyStep.PUT, 1));
        assertTrue(isTold(KeyStep.PUT_IF_ABSENT, KeyStep.PUT_IF_ABSENT, null));
        assertTrue(isTold(KeyStep.REPLACE, KeyStep.REPLACE, 1));
        assertTrue(isTold(KeyStep.REPLACE_VALUE, KeyStep.REPLACE_VALUE, 1));
        assertTrue(isTold(KeyStep.PUT_IF_ABSENT, KeyStep.COMPUTE_IF_ABSENT, null));
        assertTrue(isTold(KeyStep.REMOVE, KeyStep.COMPUTE_IF_PRESENT, 1));
        assertTrue(isTold(KeyStep.CONTAINS, KeyStep.REMOVE, 1));
        assertEquals("a value was there before and after", false, isTold(KeyStep.REPLACE, KeyStep.CONTAINS, 1));
    }

    @Test
    public void a_call_that_can_write_and_has_not_ended_leaves_no_order_certain() {
        KeyCalls calls = new KeyCalls(0);
        Call one = new Call(1, KeyStep.REMOVE, 1, 2);
        Call other = new Call(2, KeyStep.REMOVE, 1, 3);
        one.from = calls.begin(true, 1);
        other.from = calls.begin(true, 2);
        calls.begin(true, 3);
        other.act(one.act(1, 0), 1);
        List<Call> ended = new ArrayList<>();
        end(calls, ended, one);
        assertEquals(false, end(calls, ended, other));
    }

    @Test
    public void a_call_that_began_when_its_thread_was_the_only_one_leaves_no_order_certain() {
        KeyCalls calls = new KeyCalls(3);
        Call one = new Call(1, KeyStep.REMOVE, 1, 2);
        Call other = new Call(2, KeyStep.REMOVE, 1, 3);
        one.from = calls.begin(true, 1);
        other.from = calls.begin(true, 2);
        other.act(one.act(1, 0), 1);
        List<Call> ended = new ArrayList<>();
        end(calls, ended, one);
        assertEquals(false, end(calls, ended, other));
    }

    @Test
    public void a_change_of_the_whole_map_meanwhile_leaves_no_order_certain() {
        KeyCalls calls = new KeyCalls(0);
        int one = calls.begin(true, 1);
        int other = calls.begin(true, 2);
        calls.end(one, 0, true, true, true, KeyState.PRESENT, KeyState.ABSENT, 1);
        assertEquals(false, calls.isLast(other, 1, true, false, KeyState.ABSENT, KeyState.SAME, 2));
        assertTrue(calls.isLast(other, 0, true, false, KeyState.ABSENT, KeyState.SAME, 2));
    }
}
