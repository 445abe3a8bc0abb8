package dev.regiontrack.runtime.replay;

import dev.regiontrack.runtime.steering.Hold;
import dev.regiontrack.runtime.steering.Place;
import dev.regiontrack.runtime.steering.Standstill;

/**
 * The hold of a thread that has passed the last point of another thread's block: until the block has come to its last place. If both went on at once,
 * calls of the library could overlap, and be no events. It is over if the thread in the block waits, perhaps for a lock of this one, or has ended.
 */
final class Remainder extends Hold {
    private final Replay replay;
    private final Place place;
    /** The thread in the block; null if it has passed no point. */
    private final Standstill inBlock;

    /** {@code place} is the last point's. */
    Remainder(Replay replay, Place place, Thread inBlock) {
        this.replay = replay;
        this.place = place;
        this.inBlock = inBlock == null ? null : new Standstill(inBlock, Turn.LOOKS);
    }

    @Override
    protected int mostLooks() {
        return Turn.LOOKS;
    }

    @Override
    protected boolean isOver() {
        return place.isOver() || inBlock != null && inBlock.look();
    }

    @Override
    public boolean isMet() {
        return replay.isDone();
    }
}
