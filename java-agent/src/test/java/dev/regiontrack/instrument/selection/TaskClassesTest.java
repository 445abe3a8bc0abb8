package dev.regiontrack.instrument.selection;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertTrue;

import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Transport;
import dev.regiontrack.runtime.threads.OwnThread;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.After;
import org.junit.Test;

/** Where classes of tasks are loaded that must not be loaded inside a transformation. */
public class TaskClassesTest {
    /** Nothing unparks the thread for so long; if it has a permit, it does not wait. */
    private static final long LONG_NANOS = 20_000_000_000L;
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
    public void a_permit_of_the_program_is_there_afterwards() {
        start("a.A", "a.B");
        LockSupport.unpark(Thread.currentThread());
        TaskClasses.loadAll();
        long start = System.nanoTime();
        LockSupport.parkNanos(LONG_NANOS);
        assertTrue(System.nanoTime() - start < LONG_NANOS);
    }

    @Test
    public void one_that_fails_is_reported_and_the_others_are_loaded() {
        List<String> told = new ArrayList<>();
        TaskClasses.start(List.of("a.A", "a.B"), name -> {
            loaded.add(name);
            if (name.equals("a.A")) {
                throw new IllegalStateException("broken");
            }
        }, (Transport) Proxy.newProxyInstance(Transport.class.getClassLoader(), new Class<?>[] {Transport.class}, (proxy, method, arguments) -> {
            told.add(arguments[0] + " " + arguments[2]);
            return null;
        }));
        TaskClasses.loadAll();
        assertEquals("a.B", loaded.get(1));
        assertEquals(List.of(NativeBridge.FAILED + " a.A: java.lang.IllegalStateException: broken"), told);
    }

    @Test
    public void what_comes_while_the_thread_of_the_agent_loads_one_does_not_wait_for_it() {
        TaskClasses.start(List.of("a.A"), name -> {
            loaded.add(name);
            TaskClasses.loadAll();
        }, null);
        TaskClasses.loadAll();
        assertEquals("a.A", loaded.get(0));
    }

    /** Later tests in this JVM must not call these. */
    @After
    public void end() {
        TaskClasses.start(List.of(), name -> { }, null);
        TaskClasses.loadAll();
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
