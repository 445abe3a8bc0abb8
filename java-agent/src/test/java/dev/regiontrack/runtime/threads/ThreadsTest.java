package dev.regiontrack.runtime.threads;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** The names of threads in reports. */
public class ThreadsTest {
    /** A thread whose own code must not run. */
    private static final class Own extends Thread {
        Own() {
            super("");
        }

        @Override
        public long getId() {
            throw new AssertionError("this is the program's own");
        }
    }

    @Test
    public void a_thread_without_a_name_has_its_number() {
        Thread nameless = new Thread("");
        assertEquals("thread #" + nameless.getId(), Threads.nameOf(nameless));
        assertEquals("a thread without a name", Threads.nameOf(new Own()));
        assertEquals("worker", Threads.nameOf(new Thread("worker")));
    }
}
