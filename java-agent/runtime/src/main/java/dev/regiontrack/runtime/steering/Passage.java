package dev.regiontrack.runtime.steering;

/** Whether a thread that was held has come to its last place since, or has left its block. Thread-safe. */
final class Passage {
    private volatile boolean isOver;

    void end() {
        isOver = true;
    }

    boolean isOver() {
        return isOver;
    }
}
