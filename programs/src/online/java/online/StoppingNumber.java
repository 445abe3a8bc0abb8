package online;

/** A number at whose hash code the first thread stops. */
final class StoppingNumber extends Number implements Comparable<StoppingNumber> {
    private static final long serialVersionUID = 1;
    private final int number;

    StoppingNumber(int number) {
        this.number = number;
    }

    @Override
    public int hashCode() {
        Race.gate();
        return number;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StoppingNumber && ((StoppingNumber) other).number == number;
    }

    @Override
    public int compareTo(StoppingNumber other) {
        return Integer.compare(number, other.number);
    }

    @Override
    public int intValue() {
        return number;
    }

    @Override
    public long longValue() {
        return number;
    }

    @Override
    public float floatValue() {
        return number;
    }

    @Override
    public double doubleValue() {
        return number;
    }
}
