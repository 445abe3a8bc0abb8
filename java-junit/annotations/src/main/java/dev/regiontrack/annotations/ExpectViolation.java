package dev.regiontrack.annotations;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The test passes only if a violation happens in it that matches. Others fail it, as everywhere. Without the agent, nobody knows whether there was one: the test is
 * skipped, unless it fails otherwise.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface ExpectViolation {
    /**
     * The violated method, {@code com.example.Cache.get(java.lang.Object)}, or its end, {@code Cache.get}, where {@code *} is anything. Without parentheses, whatever
     * its parameters; empty: any method.
     */
    String method() default "";

    /** What happened, in the words of the report ({@code lost update}), where {@code *} is anything; empty: anything. */
    String kind() default "";
}
