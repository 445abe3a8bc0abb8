package dev.regiontrack.runtime.steering;

import java.util.Arrays;

/**
 * What another thread passes while one is held in the block of a candidate. Most candidates have one step; where a violation takes more, they are passed in their order, each by its own
 * thread.
 */
final class Step {
    final Candidate candidate;
    /** Its index among the steps of the candidate. */
    final int index;
    /** Which of the other threads passes it, from 0. */
    final int runner;
    final Place place;
    /** Before which place its thread waits; null if it does not in this plan. */
    final Place gate;
    /** The first step of its thread. */
    boolean isFirst = true;
    /** The step of its thread behind which others come first: that thread is held until they have come; its own index if there is none. */
    int until;
    /** Of which object it is: 0 is that of the candidate's first place, each other number another one; negative if it has none, or any. */
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

    /** What each step of a candidate has to do with the others. */
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
