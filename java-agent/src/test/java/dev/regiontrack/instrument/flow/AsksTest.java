package dev.regiontrack.instrument.flow;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.Test;

/** Attempts that call methods of other classes, or methods that can be overridden. */
public class AsksTest {
    /** The receiver of the calls. What its methods do is not analysed here. */
    interface Other {
        boolean isDone();

        int value();

        boolean take();

        void put(int value);

        int next(int value);

        int[] all();
    }

    /** A method for each shape. If every read has a consequence, the name begins with "used"; with "computes", the called method must not even read. */
    static class Shapes {
        final AtomicInteger n = new AtomicInteger();
        final AtomicLong wide = new AtomicLong();
        final AtomicReference<String> text = new AtomicReference<>("");
        final AtomicReference<Shapes> shapes = new AtomicReference<>(this);
        Other other;
        int rounds;

        static int after(int n) {
            return n + 1;
        }

        void waits(Other any) {
            while (!any.isDone()) {
                Thread.onSpinWait();
            }
        }

        void waitsForField() {
            while (other.value() < 3) {
                Thread.onSpinWait();
            }
        }

        void goesRoundForBoth(Other any) {
            while (!any.isDone() && any.value() != 2) {
                Thread.onSpinWait();
            }
            rounds++;
        }

        int waitsAndTakesAnother(Other any, Other another) {
            while (!any.isDone()) {
                Thread.onSpinWait();
            }
            return another.value();
        }

        void goesRoundAndTakes(Other any) {
            while (!any.isDone()) {
                Thread.onSpinWait();
            }
            any.put(1);
        }

        void goesRoundToTake(Other any) {
            while (any.value() > 0 || !any.take()) {
                Thread.onSpinWait();
            }
        }

        void computesNext(Other any) {
            int c;
            do {
                c = n.get();
            } while (!n.compareAndSet(c, any.next(c)));
        }

        void computesByStatic() {
            int c;
            do {
                c = n.get();
            } while (!n.compareAndSet(c, AsksTest.next(c)));
        }

        void computesByItself() {
            String s;
            do {
                s = text.get();
            } while (!text.compareAndSet(s, after(s)));
        }

        void computesByReceiver() {
            Shapes s;
            do {
                s = shapes.get();
            } while (!shapes.compareAndSet(s, s.with(1)));
        }

        Shapes with(int n) {
            return this;
        }

        String after(String s) {
            return s + n;
        }

        void computesByPlatform(double more) {
            for (;;) {
                long c = wide.get();
                if (wide.compareAndSet(c, Double.doubleToRawLongBits(Double.longBitsToDouble(c) + more))) {
                    return;
                }
            }
        }

        void usesArray(Other any) {
            while (any.all() == null) {
                Thread.onSpinWait();
            }
        }

        void asksToPut(Other any) {
            while (!any.isDone()) {
                any.put(1);
            }
        }

        void pauses(Other any) {
            while (any.value() < 3) {
                LockSupport.parkNanos(1);
            }
        }

        long pausesAndKeeps(long least) {
            long found;
            while (least > (found = AsksTest.least(other, least))) {
                LockSupport.parkNanos(this, 1);
            }
            return found;
        }

        /** The time depends on what was found. */
        void usedForTime(Other any) {
            while (any.value() < 3) {
                LockSupport.parkNanos(any.value());
            }
        }

        /** The reason for its return shows that it had not been done before. */
        void usedWhenInterrupted(Other any) throws InterruptedException {
            while (!any.isDone()) {
                Thread.sleep(1);
            }
        }

        void usedBehindPause(Other any) {
            while (!any.isDone()) {
                LockSupport.parkNanos(1);
                rounds++;
            }
        }

        int usedLater(Other any) {
            int last = 0;
            while (!any.isDone()) {
                last = any.value();
            }
            return last;
        }

        void usedToCount(Other any) {
            while (!any.isDone()) {
                rounds++;
            }
        }

        int usedByCaller(Other any) {
            return any.isDone() ? any.value() : 0;
        }
    }

    static long least(Other other, long n) {
        return Math.min(other.value(), n);
    }

    static int next(int n) {
        return n + 1;
    }

    private static Map<String, List<Attempt>> attempts() throws IOException {
        return Shaped.attempts(Shapes.class);
    }

    @Test
    public void what_is_asked_can_be_asked_again() throws IOException {
        Set<String> wrong = new TreeSet<>();
        for (Map.Entry<String, List<Attempt>> entry : attempts().entrySet()) {
            String name = entry.getKey();
            boolean isNone = name.startsWith("used") || name.startsWith("<") || name.equals("after") || name.equals("with");
            if (entry.getValue().isEmpty() != isNone) {
                wrong.add(name);
            }
        }
        assertEquals(Set.of(), wrong);
    }

    @Test
    public void before_a_compareAndSet_it_must_not_even_read() throws IOException {
        for (Map.Entry<String, List<Attempt>> entry : attempts().entrySet()) {
            for (Attempt attempt : entry.getValue()) {
                boolean asks = attempt.region().stream().anyMatch(attempt::isAsk);
                assertEquals(entry.getKey(), entry.getKey().startsWith("computes") && asks, attempt.onlyComputes);
            }
        }
        assertFalse(attempts().get("computesByPlatform").get(0).onlyComputes);
    }

    @Test
    public void who_goes_round_waits_unless_the_method_can_change_the_answer() throws IOException {
        for (String method : List.of("waits", "waitsForField", "waitsAndTakesAnother", "pauses", "pausesAndKeeps")) {
            assertTrue(method, attempts().get(method).get(0).isWait());
        }
        for (String method : List.of("goesRoundAndTakes", "goesRoundToTake", "goesRoundForBoth", "computesNext")) {
            assertFalse(method, attempts().get(method).get(0).isWait());
        }
    }
}
