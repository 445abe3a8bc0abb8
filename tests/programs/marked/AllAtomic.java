package marked;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * Marks every method of a class as atomic. The running program can see it.
 */
@Retention(RetentionPolicy.RUNTIME)
public @interface AllAtomic {
}
