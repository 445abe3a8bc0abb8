package dev.regiontrack.annotations;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The test, or each of a class, is repeated, so that a violation which threads seldom let happen does: the first run shows between which places other threads could come, and in later ones
 * threads are held there until others have come. It fails at the first run with a violation, and passes if none has one.
 *
 * <p>It takes {@code regiontrack-junit} and the agent with {@code provoke=tests}.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Provoke {
    /** So many runs at most, those among them that learn; fewer if nothing is left to be tried. */
    int runs() default 20;
}
