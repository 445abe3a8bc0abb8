package dev.regiontrack.instrument;

import org.objectweb.asm.tree.analysis.Value;

/** What a local or operand may hold, as {@link ReferenceFlow} sees it. */
final class Place implements Value {
    static final Place UNUSABLE = new Place(1, 0, false);
    static final Place OTHER = new Place(1, 0, true);
    static final Place WIDE = new Place(2, 0, true);

    private final int size;
    /** A bit for each source. */
    final long sources;
    /** Something else came together with it, or it is an older one of its source. */
    final boolean isMixed;

    Place(int size, long sources, boolean isMixed) {
        this.size = size;
        this.sources = sources;
        this.isMixed = isMixed;
    }

    /** The source whose newest array or object this is, or -1. */
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
        return other instanceof Place && ((Place) other).size == size && ((Place) other).sources == sources && ((Place) other).isMixed == isMixed;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(sources) * 4 + size * 2 + (isMixed ? 1 : 0);
    }
}
