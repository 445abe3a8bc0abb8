package dev.regiontrack.junit5;

import dev.regiontrack.annotations.ExpectViolation;
import dev.regiontrack.annotations.Provoke;
import dev.regiontrack.junit.Repeated;
import dev.regiontrack.junit.Scope;
import dev.regiontrack.junit.Turn;
import dev.regiontrack.junit.Worse;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.Optional;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/**
 * Fails a test in which a method was not atomic: each invocation of a test, and each dynamic test, on its own. A violation in a constructor, in
 * {@code @BeforeAll} or {@code @AfterAll}, or in a thread that outlives its test, fails the class.
 *
 * <p>Jupiter finds it by its service file ({@link AutoDetection}); it can also be named with {@code @ExtendWith}. Because it is registered first, it
 * begins a test before all other extensions, and ends it after them.
 */
public final class RegionTrackExtension
    implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback, BeforeTestExecutionCallback, AfterTestExecutionCallback,
        InvocationInterceptor {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(RegionTrackExtension.class);
    /** The key of the nearest scope; the key of a context's own scope is its unique id. */
    private static final String NEAREST = "nearest";
    /** The key of the unique id of a test whose runs were each judged. */
    private static final String JUDGED = "judged";
    /** The key of the turn of a test that is to be repeated. */
    private static final String TURN = "turn";

    @Override
    public void beforeAll(ExtensionContext context) {
        if (own(context) == null) {
            begin(context);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        end(context, null);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        begin(context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        // The expected violation of a factory is for each of its tests, and that of a repeated test for its runs.
        boolean isJudged = context.getUniqueId().equals(context.getStore(NAMESPACE).get(JUDGED));
        end(context, isFactory(context) || isJudged ? null : expected(context));
    }

    /**
     * Waits for the turn of a test that is to be repeated. {@code @Timeout} measures what interceptors do, not this. It comes after all locks that
     * {@code @BeforeEach} methods take: these are taken again in later runs, while the test has the turn. Each test of a factory has its own turn.
     */
    @Override
    public void beforeTestExecution(ExtensionContext context) throws InterruptedException {
        if (!isFactory(context)) {
            Turn turn = turn(context, own(context));
            if (turn != null) {
                context.getStore(NAMESPACE).put(TURN, turn);
            }
        }
    }

    /** Gives up the turn of a test that has not come to its interceptor, or has not returned from it in time. */
    @Override
    public void afterTestExecution(ExtensionContext context) {
        give(context.getStore(NAMESPACE).remove(TURN, Turn.class));
    }

    @Override
    public void interceptTestMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context) throws Throwable {
        repeat(invocation, method, context);
    }

    @Override
    public void interceptTestTemplateMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context) throws Throwable {
        repeat(invocation, method, context);
    }

    private static void repeat(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context) throws Throwable {
        Repeated.Body body = number -> {
            if (number == 1) {
                invocation.proceed();
            } else {
                Lifecycle lifecycle = new Lifecycle(context);
                lifecycle.afterEach();
                lifecycle.beforeEach();
                lifecycle.run(method);
            }
        };
        if (repeated(context.getStore(NAMESPACE).get(TURN, Turn.class), context, body)) {
            context.getStore(NAMESPACE).put(JUDGED, context.getUniqueId());
        } else {
            invocation.proceed();
        }
    }

    /** Repeats a test that has the turn, and gives it up. False if it is not to be, or cannot be, repeated. */
    private static boolean repeated(Turn turn, ExtensionContext context, Repeated.Body body) throws Throwable {
        try {
            if (turn != null) {
                turn.isRunHere();
            }
            return Repeated.run(name(context), asked(context), expected(context), body);
        } finally {
            give(turn);
        }
    }

    /** Waits for the turn of a test with this scope; null if it is not to be, or cannot be, repeated. */
    private static Turn turn(ExtensionContext context, Scope scope) throws InterruptedException {
        return scope == null || asked(context) == null ? null : Turn.take();
    }

    private static void give(Turn turn) {
        if (turn != null) {
            turn.give();
        }
    }

    @Override
    public void interceptDynamicTest(Invocation<Void> invocation, DynamicTestInvocationContext test, ExtensionContext context) throws Throwable {
        Scope scope = Scope.begin(name(context), nearest(context));
        ExpectViolation expected = expected(context);
        Throwable thrown = null;
        boolean isJudged = false;
        try {
            isJudged = repeated(turn(context, scope), context, number -> {
                if (number == 1) {
                    invocation.proceed();
                } else {
                    test.getExecutable().execute();
                }
            });
            if (!isJudged) {
                invocation.proceed();
            }
        } catch (Throwable e) {
            thrown = e;
        }
        Throwable failure = failure(scope, isJudged ? null : expected, thrown == null);
        if (thrown != null && failure != null) {
            throw Worse.of(thrown, failure);
        }
        if (thrown != null || failure != null) {
            throw thrown != null ? thrown : failure;
        }
    }

    /** An instance for all tests of a class is created before the class's other callbacks. */
    @Override
    public <T> T interceptTestClassConstructor(Invocation<T> invocation, ReflectiveInvocationContext<Constructor<T>> constructor, ExtensionContext context)
        throws Throwable {
        Scope scope = nearest(context);
        if (scope == null) {
            scope = begin(context);
        }
        if (scope == null) {
            return invocation.proceed();
        }
        int former = scope.enter();
        try {
            return invocation.proceed();
        } finally {
            scope.leave(former);
        }
    }

    private static Scope begin(ExtensionContext context) {
        Scope scope = Scope.begin(name(context), nearest(context));
        if (scope != null) {
            ExtensionContext.Store store = context.getStore(NAMESPACE);
            store.put(context.getUniqueId(), scope);
            store.put(NEAREST, scope);
        }
        return scope;
    }

    /** JUnit adds what this throws to what the test has thrown. */
    private static void end(ExtensionContext context, ExpectViolation expected) {
        Scope scope = own(context);
        context.getStore(NAMESPACE).remove(context.getUniqueId());
        Throwable failure = failure(scope, expected, !context.getExecutionException().isPresent());
        if (failure instanceof TestAbortedException) {
            throw (TestAbortedException) failure;
        }
        if (failure != null) {
            throw (AssertionError) failure;
        }
    }

    private static Throwable failure(Scope scope, ExpectViolation expected, boolean hasEnded) {
        if (scope != null) {
            return scope.end(expected).failure(expected, hasEnded);
        }
        return expected != null && hasEnded ? new TestAbortedException("a violation is expected, and the agent is not there to see it") : null;
    }

    private static boolean isFactory(ExtensionContext context) {
        return AnnotationSupport.isAnnotated(context.getTestMethod(), TestFactory.class);
    }

    private static Scope own(ExtensionContext context) {
        return context.getStore(NAMESPACE).get(context.getUniqueId(), Scope.class);
    }

    private static Scope nearest(ExtensionContext context) {
        return context.getStore(NAMESPACE).get(NEAREST, Scope.class);
    }

    /** The annotation that asks to repeat the test; null if there is none. */
    private static Provoke asked(ExtensionContext context) {
        ExtensionContext test = ofMethod(context);
        Optional<Provoke> asked = AnnotationSupport.findAnnotation(test.getTestMethod(), Provoke.class);
        for (Class<?> type = test.getTestClass().orElse(null); type != null && !asked.isPresent(); type = type.getEnclosingClass()) {
            asked = AnnotationSupport.findAnnotation(type, Provoke.class);
        }
        return asked.orElse(null);
    }

    private static ExpectViolation expected(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(ofMethod(context).getTestMethod(), ExpectViolation.class).orElse(null);
    }

    /** The context with the test method: a dynamic test has none, but its factory does. */
    private static ExtensionContext ofMethod(ExtensionContext context) {
        ExtensionContext found = context;
        while (!found.getTestMethod().isPresent() && found.getParent().isPresent()) {
            found = found.getParent().get();
        }
        return found.getTestMethod().isPresent() ? found : context;
    }

    private static String name(ExtensionContext of) {
        ExtensionContext context = ofMethod(of);
        Optional<String> type = context.getTestClass().map(Class::getName);
        return type.orElse("") + context.getTestMethod().map(method -> '.' + method.getName() + "()").orElse("");
    }
}
