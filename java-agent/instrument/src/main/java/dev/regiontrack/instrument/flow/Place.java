package dev.regiontrack.instrument.flow;

import org.objectweb.asm.tree.analysis.Value;

/** What a local or operand may hold, as {@link ReferenceFlow} sees it. */
final class Place implements Value {
    static final Place UNUSABLE = new Place(1, 0, false);
    static final Place OTHER = new Place(1, 0, true);
    static final Place WIDE = new Place(2, 0, true);
    /** The object whose method it is, where that is no source. */
    static final Place THIS = new Place(1, 0, true, true);

    private final int size;
    /** A bit for each source. */
    final long sources;
    /** Whether another value was merged with it, or it is an older one of its source. */
    final boolean isMixed;
    private final boolean isThis;

    Place(int size, long sources, boolean isMixed) {
        this(size, sources, isMixed, false);
    }

    private Place(int size, long sources, boolean isMixed, boolean isThis) {
        this.isThis = isThis;
        this.size = size;
        this.sources = sources;
        this.isMixed = isMixed;
    }

    /** Returns the source whose newest array or object this is, or -1. */
    int exactly() {
        return !isMixed && Long.bitCount(sources) == 1 ? Long.numberOfTrailingZeros(sources) : -1;
    }

    Place mixed() {
        return new Place(size, sources, true);
    }

    @Override
    public int getSize() {
        return size;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Place)) {
            return false;
        }
        Place place = (Place) other;
        return place.size == size && place.sources == sources && place.isMixed == isMixed && place.isThis == isThis;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(sources) * 4 + size * 2 + (isMixed ? 1 : 0);
    }
}
