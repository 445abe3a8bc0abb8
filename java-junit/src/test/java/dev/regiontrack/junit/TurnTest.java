package dev.regiontrack.junit;

import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.Test;

/** The turn of a test that is repeated. */
public class TurnTest {
    private final AtomicReference<Turn> taken = new AtomicReference<>();

    /** Another test, which waits for its turn. */
    private Thread waiting() {
        Thread other = new Thread(() -> {
            try {
                taken.set(Turn.take());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        other.start();
        while (other.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertNull(taken.get());
        return other;
    }

    @Test
    public void a_test_that_another_thread_runs_has_its_turn_there() throws InterruptedException {
        Turn turn = Turn.take();
        AtomicReference<Object> inside = new AtomicReference<>("nothing yet");
        Thread runs = new Thread(() -> {
            turn.isRunHere();
            try {
                inside.set(Turn.take());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        runs.start();
        runs.join();
        assertNull(inside.get());
        turn.give();
    }

    @Test
    public void another_test_waits_until_the_turn_is_given_up_and_one_inside_does_not() throws InterruptedException {
        Turn turn = Turn.take();
        assertNull(Turn.take());
        Thread other = waiting();
        turn.give();
        other.join();
        Turn next = taken.getAndSet(null);
        assertNotNull(next);
        // That a turn is given up again does not end the next one.
        turn.give();
        Thread last = waiting();
        next.give();
        last.join();
        assertNotNull(taken.get());
    }
}
