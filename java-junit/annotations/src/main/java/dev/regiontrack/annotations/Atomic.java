package dev.regiontrack.annotations;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method is meant to be atomic: whatever other threads do meanwhile, the result is as if it had run alone. On a class, all methods and constructors
 * that it declares; {@link NotAtomic} on one of them is an exception to that.
 *
 * <p>Without this, a method is meant to be atomic by the agent's default, too, but for methods such as {@code run()} and {@code main}, and but for one that waits
 * for other threads: the default takes it for one that nobody has meant to be atomic. With this, it counts. A line of the user's own in a specification
 * ({@code spec=}) that matches the method, and {@code exclude-method=}, decide over it.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR, ElementType.TYPE})
public @interface Atomic {
}
