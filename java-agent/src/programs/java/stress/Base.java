package stress;

/** A superclass with fields that subclasses hide, and statics that are reached through them. */
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

    /** A copy: a variable of its own with the same value. */
    public Base copy() {
        try {
            return (Base) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
