package schedule;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A thread waits until another one has come to a place. Like everything in this package it makes no events.
 */
public final class Flag {
    private final AtomicBoolean isSet = new AtomicBoolean();

    public void set() {
        isSet.set(true);
    }

    /** Waits for {@link #set}. */
    public void await() {
        while (!isSet.get()) {
            Thread.onSpinWait();
        }
    }
}
