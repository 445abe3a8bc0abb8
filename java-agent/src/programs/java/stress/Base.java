package stress;

/** A superclass with fields that subclasses hide, and with static fields accessed through subclasses. */
public class Base implements Cloneable {
    public long value;
    public Long boxed;
    public volatile long flag;
    public static long shared;
    public static long hidden;
    public static volatile long sharedFlag;
    public final int number;

    public Base(int number) {
        this.number = number;
    }

    /** A copy: a separate variable with the same value. */
    public Base copy() {
        try {
            return (Base) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
