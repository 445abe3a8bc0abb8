package dev.regiontrack.annotations;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method is not meant to be atomic: other threads may come between its steps without a finding. The methods that it calls are still judged. On a
 * class, this applies to all methods and constructors that it declares, except those with {@link Atomic}. A line of the user's own in a specification
 * that matches the method takes precedence.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR, ElementType.TYPE})
public @interface NotAtomic {
}
