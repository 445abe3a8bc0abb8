package dev.regiontrack.runtime.steering;

import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.threads.Origin;
import dev.regiontrack.runtime.threads.ThreadState;

/** A thread has passed a place, as the how-many-th time: of two of these a schedule is made. */
final class Passed {
    private final ThreadState thread;
    /** The thread itself. */
    final Thread runner = Thread.currentThread();
    private final int times;

    /** The current thread has this state. */
    Passed(ThreadState thread, int times) {
        this.thread = thread;
        this.times = times;
    }

    /**
     * Tells the bridge in which order two threads came to the places of a candidate: the first of them was held in the block. The text: {@code met}, the candidate's index, the position
     * of the last event of the held thread, how it was started, how often it has passed the first place, and that behind which it was held; how the other one was started, and how often it has
     * passed its place.
     */
    static void describe(Candidate c, ThreadState held, Way way, Passed by) {
        String text = "met\t" + c.index + '\t' + held.position + '\t' + Origin.of(held).text + '\t' + way.first(c) + '\t' + way.times(c.hold)
            + '\t' + Origin.of(by.thread).text + '\t' + by.times;
        Session.transport().describe(NativeBridge.SCHEDULE, held.number, text);
    }
}
