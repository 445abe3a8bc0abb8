package dev.regiontrack.instrument.flow;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Test;

/** In which methods a read may have no consequence. */
public class AttemptsTest {
    private static final Set<String> CALLED = Set.of("ready", "current", "canBeOverridden", "isDone", "isDoneAtDepth", "load", "next", "pause", "set", "setOther", "counts",
        "anyPause", "isLocked", "catches", "isReadyOf", "make");

    private static Map<String, List<Attempt>> attempts() throws IOException {
        return Shaped.attempts(AttemptShapes.class);
    }

    @Test
    public void a_read_has_no_consequence_if_the_method_looks_again() throws IOException {
        Set<String> wrong = new TreeSet<>();
        for (Map.Entry<String, List<Attempt>> entry : attempts().entrySet()) {
            boolean isUsed = entry.getKey().startsWith("used") || entry.getKey().startsWith("<") || entry.getKey().startsWith("lambda$") || CALLED.contains(entry.getKey());
            if (entry.getValue().isEmpty() != isUsed) {
                wrong.add(entry.getKey());
            }
        }
        assertEquals(Set.of(), wrong);
    }

    /** No method of it locks, or compares and sets. */
    static class Spins {
        private boolean isDone;
        private boolean isOver;

        private boolean isDone() {
            return isDone;
        }

        boolean spins() {
            while (!isOver) {
                if (isDone()) {
                    return true;
                }
                if (isOver) {
                    return false;
                }
            }
            return false;
        }
    }

    @Test
    public void a_class_in_a_package_like_one_of_the_platform_spins_by_its_own_methods_too() throws IOException {
        for (String name : List.of("com/example/Spins", "javax/mail/Spins")) {
            assertEquals(name, 1, Shaped.attempts(Spins.class, name).get("spins").size());
        }
    }

    /** The statement of its last read begins before a jump. */
    static class Chooses {
        private volatile boolean isReady;
        private volatile int found;

        int chooses(int most) {
            while (!isReady) {
                Thread.onSpinWait();
            }
            int sum = most + (most > 0 ? found : 0);
            synchronized (this) {
                return sum;
            }
        }
    }

    @Test
    public void a_statement_with_a_jump_in_it_begins_no_attempt() throws IOException {
        assertEquals(1, Shaped.attempts(Chooses.class).get("chooses").size());
    }

    @Test
    public void each_read_of_the_variable_can_begin_an_attempt() throws IOException {
        assertEquals(2, attempts().get("retriesTwice").size());
        assertEquals(2, attempts().get("retriesAtTheEnd").size());
    }

    @Test
    public void who_goes_round_waits_for_another_thread_unless_it_looks_at_the_time() throws IOException {
        assertTrue(attempts().get("spins").get(0).isWait());
        assertTrue(attempts().get("spinsByMethods").get(0).isWait());
        assertFalse(attempts().get("spinsForAWhile").get(0).isWait());
        assertFalse(attempts().get("retries").get(0).isWait());
    }

    @Test
    public void a_call_without_a_result_behind_a_loop_is_not_asked() throws IOException {
        assertTrue(attempts().get("spinsWithChecks").get(0).isWait());
        for (Map.Entry<String, Long> asks : Map.of("spinsWithChecks", 2L, "spinsUnless", 1L, "spinsAndTells", 0L, "byAnyMethodOfNothing", 1L).entrySet()) {
            Attempt attempt = attempts().get(asks.getKey()).get(0);
            assertEquals(asks.getKey(), asks.getValue().longValue(), attempt.region().stream().filter(attempt::isAsk).count());
        }
    }

    @Test
    public void who_waits_for_what_it_writes_itself_waits_for_a_lock() throws IOException {
        for (String method : List.of("spinsForLock", "spinsToSet", "spinsUntilSet")) {
            assertFalse(method, attempts().get(method).stream().anyMatch(Attempt::isWait));
        }
    }

    @Test
    public void where_the_value_is_used_the_attempt_runs_again() throws IOException {
        Attempt attempt = attempts().get("retriesUntilLimit").get(0);
        int used = 0;
        for (int i = 0; i < 100; i++) {
            used += !attempt.region().get(i) && attempt.exitTo(i) == Attempt.Exit.USED ? 1 : 0;
        }
        assertEquals(1, used);
        assertEquals(1, attempt.on().length);
    }
}
