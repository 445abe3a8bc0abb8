package dev.regiontrack.runtime.steering;

import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.threads.Origin;
import dev.regiontrack.runtime.threads.ThreadState;

/** A thread has passed a place, as the how-many-th time: of two of these a schedule is made. */
final class Passed {
    /** How the thread was started, if somebody asks: it may be another thread's when this is told. */
    private final String start;
    /** The thread itself. */
    final Thread runner = Thread.currentThread();
    private final int times;

    /** The current thread has this state. */
    Passed(ThreadState thread, int times) {
        start = Origin.isOn() ? Origin.of(thread).text : "";
        this.times = times;
    }

    /**
     * Tells the bridge in which order threads came to the places of a candidate: the first of them was held in the block. The text: {@code met}, the candidate's index, the position
     * of the last event of the held thread, how it was started, how often it has passed the first place, and that behind which it was held; and of each step how its thread was started, and how often
     * that has passed its place.
     */
    static void describe(Candidate c, ThreadState held, Way way, After hold) {
        StringBuilder text = new StringBuilder("met\t" + c.index + '\t' + held.position + '\t' + Origin.of(held).text + '\t' + way.first(c) + '\t' + way.times(c.hold));
        for (int step = 0; step < hold.steps(); step++) {
            Passed by = hold.by(step);
            if (by == null) {
                return;
            }
            text.append('\t').append(by.start).append('\t').append(by.times);
        }
        Session.transport().describe(NativeBridge.SCHEDULE, held.number, text.toString());
    }
}
