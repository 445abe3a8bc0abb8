package marked;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * Marks a method as atomic. It is in the class file; the running program cannot see it.
 */
@Retention(RetentionPolicy.CLASS)
public @interface Atomic {
}
