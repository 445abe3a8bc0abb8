package dev.regiontrack.instrument.selection;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertTrue;

import dev.regiontrack.runtime.threads.OwnThread;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.Test;

/** Where the classes of tasks are loaded that are not to be loaded inside a transformation. */
public class TaskClassesTest {
    private final List<String> loaded = Collections.synchronizedList(new ArrayList<>());
    private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());

    private void start(String... names) {
        TaskClasses.start(List.of(names), name -> {
            loaded.add(name);
            threads.add(Thread.currentThread());
        }, null);
    }

    @Test
    public void each_is_loaded_once_and_on_a_thread_of_the_agent() {
        start("a.A", "a.B", "a.C");
        TaskClasses.load("a.B");
        assertEquals(List.of("a.B"), loaded);
        TaskClasses.load("a.B");
        TaskClasses.loadAll();
        TaskClasses.loadAll();
        assertEquals(List.of("a.B", "a.A", "a.C"), loaded.subList(0, 3));
        assertEquals(5, loaded.size());
        for (Thread thread : threads) {
            assertNotSame(Thread.currentThread(), thread);
            assertTrue(thread instanceof OwnThread);
        }
    }

    @Test
    public void what_extends_one_is_loaded_there_too_and_nothing_else_is() {
        start("java.util.concurrent.ForkJoinTask");
        TaskClasses.load("java.util.concurrent.RecursiveTask");
        TaskClasses.load("java.util.ArrayList");
        assertEquals(List.of("java.util.concurrent.RecursiveTask"), loaded);
    }

    @Test
    public void a_thread_that_was_interrupted_waits_and_stays_so() {
        start("a.A");
        Thread.currentThread().interrupt();
        TaskClasses.loadAll();
        assertTrue(Thread.interrupted());
        assertEquals("a.A", loaded.get(0));
    }
}
