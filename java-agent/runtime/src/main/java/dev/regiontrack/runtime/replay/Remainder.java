package dev.regiontrack.runtime.replay;

import dev.regiontrack.runtime.steering.Hold;

/**
 * The hold of a thread that has passed the last point of another thread's block: until the block has come to its last place. If both went on at once,
 * calls of the library could overlap, and be no events.
 */
final class Remainder extends Hold {
    private final Replay replay;

    Remainder(Replay replay) {
        this.replay = replay;
    }

    @Override
    protected int mostLooks() {
        return Turn.LOOKS;
    }

    @Override
    public boolean isMet() {
        return replay.isDone();
    }
}
