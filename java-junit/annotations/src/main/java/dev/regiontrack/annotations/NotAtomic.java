package dev.regiontrack.annotations;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method is not meant to be atomic: other threads may come between what it does, and that is no finding. What it calls is still judged. On a class, all
 * methods and constructors that it declares; {@link Atomic} on one of them is an exception to that. A line of the user's own in a specification that matches the
 * method decides over it.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR, ElementType.TYPE})
public @interface NotAtomic {
}
