package dev.regiontrack.runtime;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/** The weak identity table. */
public class WeakTableTest {
    @Test
    public void a_lookup_finds_what_was_entered_while_the_table_grows() throws Exception {
        WeakTable table = new WeakTable();
        Object[] keys = new Object[1 << 18];
        AtomicInteger entered = new AtomicInteger();
        Thread writer = new Thread(() -> {
            for (int i = 0; i < keys.length; i++) {
                keys[i] = new Object();
                table.put(keys[i], i);
                entered.set(i + 1);
            }
        });
        writer.start();
        int missed = 0;
        for (int n = 0, at = 0; n < keys.length;) {
            n = entered.get();
            for (int k = 0; k < 100 && n > 0; k++) {
                at = (at + 7919) % n;
                missed += table.find(keys[at]) == null ? 1 : 0;
            }
        }
        writer.join();
        assertEquals("lookups that missed an entry", 0, missed);
    }

    @Test
    public void threads_that_enter_the_same_objects_agree_on_their_values() throws Exception {
        WeakTable table = new WeakTable();
        Object[] keys = new Object[1 << 16];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = new Object();
        }
        Object[][] values = new Object[4][keys.length];
        Thread[] threads = new Thread[values.length];
        for (int t = 0; t < threads.length; t++) {
            Object[] mine = values[t];
            threads[t] = new Thread(() -> {
                for (int i = 0; i < keys.length; i++) {
                    mine[i] = table.put(keys[i], new Object());
                }
            });
            threads[t].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        for (int i = 0; i < keys.length; i++) {
            for (Object[] mine : values) {
                assertSame(values[0][i], mine[i]);
            }
            assertSame(values[0][i], table.find(keys[i]));
        }
    }
}
