package dev.regiontrack.runtime.protocol;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** The table of a variable's readers. */
public class ReadersTest {
    private static final int SITE = 7;

    private static Readers of(int threads) {
        Readers readers = new Readers();
        for (int thread = 1; thread <= threads; thread++) {
            readers.put(Stamp.of(thread, 10L * thread), SITE);
        }
        return readers;
    }

    private static void holds(Readers readers, int threads) {
        for (int thread = 1; thread <= threads; thread++) {
            assertEquals(Stamp.of(thread, 10L * thread), readers.of(thread));
        }
        assertEquals(0, readers.of(threads + 1));
        assertEquals(threads, readers.size());
    }

    @Test
    public void a_table_that_grows_keeps_all_readers() {
        for (int threads = 1; threads < 40; threads++) {
            holds(of(threads), threads);
        }
    }

    @Test
    public void a_table_whose_entries_are_moved_apart_keeps_all_readers() {
        for (int threads = 1; threads < 40; threads++) {
            Readers readers = of(threads);
            readers.isContended = true;
            readers.put(Stamp.of(1, 10), SITE);
            holds(readers, threads);
            readers.put(Stamp.of(threads + 1, 10L * (threads + 1)), SITE);
            holds(readers, threads + 1);
        }
    }
}
