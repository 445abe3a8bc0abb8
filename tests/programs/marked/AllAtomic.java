package marked;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * Says that every method of a class is meant to be atomic, to the running program too.
 */
@Retention(RetentionPolicy.RUNTIME)
public @interface AllAtomic {
}
