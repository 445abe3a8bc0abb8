package dev.regiontrack.runtime.memory;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
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

    @Test
    public void what_belongs_to_dead_objects_is_dropped_by_those_who_enter_others() {
        WeakTable table = new WeakTable();
        List<WeakReference<Object>> values = new ArrayList<>();
        for (int i = 0; i < 1 << 14; i++) {
            Object value = new Object();
            values.add(new WeakReference<>(value));
            table.put(new Object(), value);
        }
        Object[] living = new Object[1 << 15];
        System.gc();
        for (int i = 0; i < living.length; i++) {
            living[i] = new Object();
            table.put(living[i], i);
        }
        System.gc();
        assertEquals(0, values.stream().filter(value -> value.get() != null).count());
        for (int i = 0; i < living.length; i++) {
            assertEquals(i, table.find(living[i]));
        }
    }
}
