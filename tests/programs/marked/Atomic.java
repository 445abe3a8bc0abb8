package marked;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * Says that a method is meant to be atomic. It stands in class files; a running program does not see it.
 */
@Retention(RetentionPolicy.CLASS)
public @interface Atomic {
}
