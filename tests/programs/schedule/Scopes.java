package schedule;

import java.lang.reflect.Method;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.function.UnaryOperator;

/**
 * A scope of structured concurrency whose threads come from a factory, as this JVM has it: a class in Java 21, an interface in Java 25; an executor where
 * there is none. Like everything in this package it makes no events.
 */
public final class Scopes {
    private static final String NAME = "java.util.concurrent.StructuredTaskScope";

    private Scopes() {
    }

    /** Runs two tasks in threads of the platform, and waits for both. */
    public static void inPlatformThreads(Callable<Integer> one, Callable<Integer> other) throws Exception {
        ThreadFactory factory = Thread::new;
        Class<?> scopes = scopes();
        if (scopes == null) {
            ExecutorService pool = Executors.newFixedThreadPool(2, factory);
            Future<Integer> first = pool.submit(one);
            Future<Integer> second = pool.submit(other);
            first.get();
            second.get();
            pool.shutdown();
            return;
        }
        try (AutoCloseable scope = scopes.isInterface() ? open(scopes, factory) : (AutoCloseable) scopes.getConstructor(String.class, ThreadFactory.class).newInstance("s", factory)) {
            scopes.getMethod("fork", Callable.class).invoke(scope, one);
            scopes.getMethod("fork", Callable.class).invoke(scope, other);
            scopes.getMethod("join").invoke(scope);
        }
    }

    private static Class<?> scopes() {
        try {
            return Runtime.version().feature() < 21 ? null : Class.forName(NAME);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    private static AutoCloseable open(Class<?> scopes, ThreadFactory factory) throws ReflectiveOperationException {
        Method with = Class.forName(NAME + "$Configuration").getMethod("withThreadFactory", ThreadFactory.class);
        Object joiner = Class.forName(NAME + "$Joiner").getMethod("awaitAllSuccessfulOrThrow").invoke(null);
        UnaryOperator<Object> configure = configuration -> {
            try {
                return with.invoke(configuration, factory);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        };
        for (Method open : scopes.getMethods()) {
            if (open.getName().equals("open") && open.getParameterCount() == 2) {
                return (AutoCloseable) open.invoke(null, joiner, configure);
            }
        }
        throw new NoSuchMethodException("open");
    }
}
