package dev.regiontrack.runtime.steering;

import java.util.Arrays;

/**
 * A step: what another thread passes while one is held in a candidate's block. Most candidates have one step; where a violation takes more, they are
 * passed in order, each by its own thread.
 */
final class Step {
    final Candidate candidate;
    /** Its index among the steps of the candidate. */
    final int index;
    /** Which of the other threads passes the step, from 0. */
    final int runner;
    final Place place;
    /** The place before which its thread waits; null if it does not in this plan. */
    final Place gate;
    /** Whether it is the first step of its thread. */
    boolean isFirst = true;
    /** The step of its thread behind which others come first: the thread is held until they have come; its own index if there is none. */
    int until;
    /** The step's object: 0 is that of the candidate's first place, each other number another one; negative if it has none, or any. */
    final int object;

    Step(Candidate candidate, int index, int runner, int object, Place place, Place gate) {
        this.candidate = candidate;
        this.index = index;
        this.runner = runner;
        this.object = object;
        this.place = place;
        this.gate = gate;
        until = index;
    }

    /** Relates the steps of a candidate to each other. */
    static void join(Step... steps) {
        for (Step step : steps) {
            for (int before = 0; before < step.index; before++) {
                step.isFirst &= steps[before].runner != step.runner;
            }
            int next = step.index + 1;
            while (next < steps.length && steps[next].runner != step.runner) {
                next++;
            }
            if (next < steps.length) {
                step.until = next - 1;
            }
        }
    }

    static Step[] with(Step[] all, Step step) {
        Step[] result = Arrays.copyOf(all, all.length + 1);
        result[all.length] = step;
        return result;
    }
}
