package dev.regiontrack.annotations;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The test passes only if a matching violation happens in it, even a suppressed or known one. Other violations fail it, as in any test. The agent's
 * report treats a violation that happens only in such tests as suppressed. Without the agent, it is unknown whether a violation happened: the test is
 * skipped, unless it fails for another reason.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface ExpectViolation {
    /**
     * The violated method, {@code com.example.Cache.get(java.lang.Object)}, or the end of its name, {@code Cache.get}; {@code *} matches anything.
     * Without parentheses, it matches any parameters; if empty, any method.
     */
    String method() default "";

    /** The kind of violation, in the words of the report ({@code lost update}); {@code *} matches anything, and so does an empty string. */
    String kind() default "";
}
