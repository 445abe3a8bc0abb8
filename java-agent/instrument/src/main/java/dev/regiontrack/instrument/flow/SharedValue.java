package dev.regiontrack.instrument.flow;

import java.util.Objects;
import org.objectweb.asm.tree.analysis.Value;

/** What is known of a value that was read from memory shared by threads, or that follows from such values, in {@link SharedValues}. */
final class SharedValue implements Value {
    private final int size;
    /**
     * The name of a value that is the same wherever this name is in a method: a parameter, a final field of such an object, a number. Otherwise
     * null.
     */
    final String name;
    /** A bit for each read whose value it can be, unchanged; 0 if it can be another one. */
    final long unchanged;
    /** A bit for each read from which it follows. */
    final long from;
    /** A bit for each instruction that may have made this object, and whether no other may have. */
    final long made;
    final boolean isMade;

    SharedValue(int size, String name, long unchanged, long from) {
        this(size, name, unchanged, from, 0, false);
    }

    SharedValue(int size, String name, long unchanged, long from, long made, boolean isMade) {
        this.made = made;
        this.isMade = isMade;
        this.size = size;
        this.name = name;
        this.unchanged = unchanged;
        this.from = from;
    }

    /** Whether the value is what a read has found, and nothing else. */
    boolean isRead() {
        return unchanged != 0 && unchanged == from;
    }

    @Override
    public int getSize() {
        return size;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof SharedValue)) {
            return false;
        }
        SharedValue value = (SharedValue) other;
        return value.size == size && value.unchanged == unchanged && value.from == from && value.made == made && value.isMade == isMade && Objects.equals(value.name, name);
    }

    @Override
    public int hashCode() {
        return Objects.hash(size, name, unchanged, from, made);
    }
}
