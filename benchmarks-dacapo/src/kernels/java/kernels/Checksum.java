package kernels;

/** A number that stands for a sequence of numbers: two runs that print the same have computed the same, bit by bit. */
public final class Checksum {
    private long sum = 1;

    /** Adds the next number. */
    public Checksum add(double value) {
        return add(Double.doubleToLongBits(value));
    }

    /** Adds the next number. */
    public Checksum add(long value) {
        sum = sum * 31 + (value ^ value >>> 32);
        return this;
    }

    /** Adds all numbers of an array. */
    public Checksum add(double[] values) {
        for (int i = 0; i < values.length; i++) {
            add(values[i]);
        }
        return this;
    }

    public String toString() {
        return "checksum " + Long.toHexString(sum);
    }
}
