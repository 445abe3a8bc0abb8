package dev.regiontrack.runtime.protocol;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.Test;

/** What a thread remembers of the accesses that its own accesses have replaced. */
public class ReplacedTest {
    private static final int MINE = 3;
    private static final int OTHER = 4;
    private static final long[] NOTHING = {0, 0};

    private static long[] find(Replaced replaced, long id, int slot) {
        long[] found = new long[2];
        replaced.find(id, slot, MINE, found, 0);
        return found;
    }

    @Test
    public void the_last_access_of_the_thread_to_a_variable_is_found() {
        Replaced replaced = new Replaced();
        replaced.note(10, 1, Stamp.of(MINE, 100), 7);
        replaced.note(10, 2, Stamp.of(MINE, 101), 8);
        replaced.note(11, 1, Stamp.of(OTHER, 102), 9);
        assertArrayEquals(new long[] {Stamp.of(MINE, 100), 7}, find(replaced, 10, 1));
        assertArrayEquals(new long[] {Stamp.of(MINE, 101), 8}, find(replaced, 10, 2));
        assertArrayEquals(NOTHING, find(replaced, 11, 1));
        assertArrayEquals(NOTHING, find(replaced, 12, 1));
        replaced.note(10, 1, Stamp.of(MINE, 103), 6);
        assertArrayEquals(new long[] {Stamp.of(MINE, 103), 6}, find(replaced, 10, 1));
        replaced.note(10, 1, Stamp.of(OTHER, 104), 5);
        assertArrayEquals(new long[] {Stamp.of(MINE, 103), 6}, find(replaced, 10, 1));
    }

    @Test
    public void a_write_after_several_readers_notes_those_of_which_it_is_known_where_they_are() {
        Readers readers = new Readers();
        readers.put(Stamp.of(OTHER, 50), 5);
        readers.put(Stamp.of(MINE, 60), 6);
        readers.put(Stamp.of(OTHER + 1, 70), 7);
        Replaced replaced = new Replaced();
        readers.note(replaced, 10, 1);
        assertArrayEquals(new long[] {Stamp.of(MINE, 60), 6}, find(replaced, 10, 1));
        Readers many = new Readers();
        for (int thread = 1; thread < 100; thread++) {
            many.put(Stamp.of(thread, thread), thread);
        }
        many.note(replaced, 11, 0);
        assertArrayEquals(new long[] {Stamp.of(MINE, 60), 6}, find(replaced, 10, 1));
    }

    @Test
    public void of_many_the_last_few_are_kept() {
        Replaced replaced = new Replaced();
        for (int id = 1; id <= 100; id++) {
            replaced.note(id, 0, Stamp.of(MINE, id), id);
        }
        for (int id = 1; id <= 100; id++) {
            assertArrayEquals(id > 68 ? new long[] {Stamp.of(MINE, id), id} : NOTHING, find(replaced, id, 0));
        }
    }

    @Test
    public void an_entry_that_is_replaced_meanwhile_is_whole_or_not_found() throws InterruptedException {
        Replaced replaced = new Replaced();
        AtomicBoolean isOver = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            for (int i = 0; !isOver.get(); i++) {
                int id = i * 7 % 61;
                replaced.note(id, id, Stamp.of(MINE, 1000 + id), 2000 + id);
            }
        });
        writer.start();
        int found = 0;
        for (int i = 0; i < 300_000 || found == 0; i++) {
            int id = i % 61;
            long[] entry = find(replaced, id, id);
            if (entry[0] != 0) {
                found++;
                assertEquals(Stamp.of(MINE, 1000 + id), entry[0]);
                assertEquals(2000 + id, entry[1]);
            }
        }
        isOver.set(true);
        writer.join();
        assertTrue(found > 0);
    }
}
