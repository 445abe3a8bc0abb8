package dev.regiontrack.annotations;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method is meant to be atomic: whatever other threads do meanwhile, the result is as if it had run alone. On a class, this applies to all
 * methods and constructors that it declares, except those with {@link NotAtomic}.
 *
 * <p>Methods without this annotation are also meant to be atomic by the agent's default, except for methods such as {@code run()} and {@code main},
 * and methods that wait for other threads: the default assumes that nobody meant these to be atomic. With this annotation, they count. A line of the
 * user's own in a specification ({@code spec=}) that matches the method, and {@code exclude-method=}, take precedence.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR, ElementType.TYPE})
public @interface Atomic {
}
