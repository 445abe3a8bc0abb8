package dev.regiontrack.annotations;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Repeats the test, or each test of the class, so that a rare violation happens: the first run shows between which places other threads could come,
 * and in later runs threads are held there until others have come. The test fails at the first run with a violation, and passes if none has one.
 *
 * <p>Requires {@code regiontrack-junit} and the agent with {@code provoke=tests}.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Provoke {
    /** The most runs, including those that learn; there are fewer if nothing is left to try. */
    int runs() default 20;
}
