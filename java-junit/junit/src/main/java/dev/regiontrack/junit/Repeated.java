package dev.regiontrack.junit;

import dev.regiontrack.annotations.ExpectViolation;
import dev.regiontrack.annotations.Provoke;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A test that is repeated, and steered, until a violation happens in it. */
public final class Repeated {
    private static final String PREFIX = "regiontrack-junit: ";
    private static final int FEWEST = 2;
    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    private Repeated() {
    }

    /** The body of a test, which gets the number of its run, from 1. */
    public interface Body {
        /** Runs the test. */
        void run(int number) throws Throwable;
    }

    /**
     * Runs a test as often as {@code asked} says. Throws what the first run that throws has thrown, or the violation of the first run with an
     * unexpected one. Returns false, without having run anything, if {@code asked} is null, or if the test cannot be repeated, which a line on
     * standard error reports. Otherwise all its violations have been judged.
     */
    public static boolean run(String test, Provoke asked, ExpectViolation expected, Body body) throws Throwable {
        if (asked == null) {
            return false;
        }
        if (asked.runs() < FEWEST) {
            throw new IllegalArgumentException("@Provoke(runs = " + asked.runs() + ") of " + test + ": expected at least 2, because the first run learns what the next ones try");
        }
        // If it is missing, a line has reported that already.
        Agent agent = Agent.here();
        String why = agent == null ? "" : agent.beginRepeated(test);
        if (!why.isEmpty() && SAID.add(why)) {
            System.err.println(PREFIX + test + " runs once, and no thread is held in it: " + why);
        }
        if (agent == null || !why.isEmpty()) {
            return false;
        }
        try {
            return repeat(agent, test, asked, expected, body);
        } finally {
            agent.endRepeated();
        }
    }

    private static boolean repeat(Agent agent, String test, Provoke asked, ExpectViolation expected, Body body) throws Throwable {
        Told told = null;
        int number = 1;
        while (number <= asked.runs()) {
            Scope scope = Scope.begin(test, null);
            Agent.Next next = agent.nextRun(scope.number());
            if (next == Agent.Next.NONE) {
                scope.end(null);
                break;
            }
            told = once(agent, scope, expected, body, number, "run " + number + " of at most " + asked.runs() + next.words);
            if (told == null) {
                return true;
            }
            number++;
        }
        if (told == null) {
            System.err.println(PREFIX + test + " runs once, because the agent's analysis does not answer");
            return false;
        }
        AssertionError missing = told.missing(expected, number - 1);
        if (missing != null) {
            throw missing;
        }
        return true;
    }

    /** Makes one run. Returns null if it has the expected violation. */
    private static Told once(Agent agent, Scope scope, ExpectViolation expected, Body body, int number, String words) throws Throwable {
        Throwable thrown = null;
        try {
            body.run(number);
        } catch (Throwable e) {
            thrown = e;
        }
        Told told = scope.end(expected);
        agent.endRun();
        AssertionError violation = told.violation(expected, words);
        if (thrown != null && violation != null) {
            throw Worse.of(thrown, violation);
        }
        if (thrown != null) {
            thrown.addSuppressed(new Where(PREFIX + words, null));
            throw thrown;
        }
        if (violation != null) {
            throw violation;
        }
        return told.has(expected) ? null : told;
    }
}
