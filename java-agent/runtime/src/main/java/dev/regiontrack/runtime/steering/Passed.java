package dev.regiontrack.runtime.steering;

import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.Origin;
import dev.regiontrack.runtime.threads.ThreadState;

/** A thread's passing of a place, with the count of such passings: two of these make a schedule. */
final class Passed {
    /** How the thread was started, if origins are recorded: when this is reported, another thread may be running. */
    private final String start;
    /** The thread itself. */
    final Thread runner = Thread.currentThread();
    private final int times;

    /** For the current thread, which has this state. */
    Passed(ThreadState thread, int times) {
        start = Origin.isOn() ? Origin.of(thread).text : "";
        this.times = times;
    }

    /**
     * Reports to the bridge the order in which threads came to the places of a candidate; the first of them was held in the block. The text:
     * {@code met}, the candidate's index, the position of the held thread's last event, how it was started, how often it has passed the first place,
     * and the place behind which it was held, or before which it is still; and for each step how its thread was started, and how often that has
     * passed its place.
     */
    static void describe(Candidate c, ThreadState held, Way way, After hold) {
        StringBuilder text = new StringBuilder("met\t" + c.index + '\t' + held.position + '\t' + Origin.of(held).text + '\t' + way.first(c) + '\t'
            + (way.times(c.hold) + (c.isHeldBefore ? 1 : 0)));
        for (int step = 0; step < hold.steps(); step++) {
            Passed by = hold.by(step);
            if (by == null) {
                return;
            }
            text.append('\t').append(by.start).append('\t').append(by.times);
        }
        // Before the report: who passes the first place meanwhile says so.
        c.isReported = true;
        Session.transport().describe(NativeBridge.SCHEDULE, held.number, text.toString());
    }

    /**
     * Reports that the candidate's first place was passed after such an order: then other runs may have another one. The text: {@code again}, the
     * index.
     */
    static void again(Candidate c, ThreadState t) {
        c.isReported = false;
        t.settle();
        try (Inside inside = t.inside()) {
            Session.transport().describe(NativeBridge.SCHEDULE, t.number, "again\t" + c.index);
        }
    }
}
