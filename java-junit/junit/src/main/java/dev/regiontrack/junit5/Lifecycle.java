package dev.regiontrack.junit5;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * What surrounds a test when it runs again, on the same instance. Jupiter lets an extension run a test with all that surrounds it only once. So
 * methods with {@code @BeforeEach} and {@code @AfterEach} are called here, in Jupiter's order; callbacks of other extensions are not.
 */
final class Lifecycle {
    /** The method whose result resolves parameters, since Jupiter 5.9. */
    private static final String INVOKER = "getExecutableInvoker";

    private final ExtensionContext context;

    Lifecycle(ExtensionContext context) {
        this.context = context;
    }

    /** Calls {@code @BeforeEach} methods: the outermost class first, and in each class inherited methods first. */
    void beforeEach() throws Throwable {
        for (Object instance : instances()) {
            call(instance, BeforeEach.class, HierarchyTraversalMode.TOP_DOWN);
        }
    }

    /** Calls {@code @AfterEach} methods in the reverse order. All are called, whatever one throws. */
    void afterEach() throws Throwable {
        List<Object> instances = instances();
        Collections.reverse(instances);
        Throwable first = null;
        for (Object instance : instances) {
            for (Method method : methods(instance, AfterEach.class, HierarchyTraversalMode.BOTTOM_UP)) {
                try {
                    invoke(instance, method);
                } catch (Throwable e) {
                    if (first == null) {
                        first = e;
                    } else {
                        first.addSuppressed(e);
                    }
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** Runs the test itself, with the same arguments as before. */
    void run(ReflectiveInvocationContext<Method> test) {
        ReflectionSupport.invokeMethod(test.getExecutable(), test.getTarget().orElse(null), test.getArguments().toArray());
    }

    private List<Object> instances() {
        return new ArrayList<>(context.getRequiredTestInstances().getAllInstances());
    }

    private static List<Method> methods(Object instance, Class<? extends Annotation> annotation, HierarchyTraversalMode order) {
        return AnnotationSupport.findAnnotatedMethods(instance.getClass(), annotation, order);
    }

    private void call(Object instance, Class<? extends Annotation> annotation, HierarchyTraversalMode order) throws Throwable {
        for (Method method : methods(instance, annotation, order)) {
            invoke(instance, method);
        }
    }

    private void invoke(Object instance, Method method) throws Throwable {
        if (method.getParameterCount() == 0) {
            ReflectionSupport.invokeMethod(method, instance);
            return;
        }
        try {
            Object invoker = ExtensionContext.class.getMethod(INVOKER).invoke(context);
            Class<?> type = Class.forName("org.junit.jupiter.api.extension.ExecutableInvoker", true, ExtensionContext.class.getClassLoader());
            type.getMethod("invoke", Method.class, Object.class).invoke(invoker, method, instance);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("@Provoke: " + method + " has parameters, which takes Jupiter 5.9 or later to call again", e);
        }
    }
}
