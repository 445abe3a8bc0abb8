package dev.regiontrack.junit;

import dev.regiontrack.annotations.ExpectViolation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * A test, or a class of tests, whose violations the agent reports: those of the thread that works for it, of threads that it starts, of tasks that it
 * gives to executors and futures, and so on. What a test leaves running when it has ended belongs to its class.
 */
public final class Scope {
    private final Agent agent;
    private final String name;
    private final int number;
    /** The scope for which the thread worked before. */
    private int former;

    private Scope(Agent agent, String name, int number) {
        this.agent = agent;
        this.name = name;
        this.number = number;
    }

    /**
     * Makes the running thread work for a new scope inside {@code around} or, if that is null, inside the current one. Returns null without the
     * agent.
     */
    public static Scope begin(String name, Scope around) {
        Agent agent = Agent.here();
        if (agent == null) {
            return null;
        }
        int former = agent.enter(0);
        Scope scope = new Scope(agent, name, agent.begin(around == null ? former : around.number));
        scope.former = former;
        agent.enter(scope.number);
        return scope;
    }

    /** The agent's number for this scope. */
    int number() {
        return number;
    }

    /** Makes the running thread work for this scope. Returns the number of the former one, for {@link #leave}. */
    public int enter() {
        return agent.enter(number);
    }

    /** Makes the running thread work for the former scope again. */
    public void leave(int former) {
        agent.enter(former);
    }

    /**
     * Ends the scope, and makes the running thread work for the former one again. Waits for the analysis. The agent learns which of the findings are
     * {@code expected}, if any are: these do not count in its report.
     */
    public Told end(ExpectViolation expected) {
        boolean isAsked = expected != null && agent.takesExpected();
        String[][] told = isAsked ? agent.endAll(number) : agent.end(number);
        agent.enter(former);
        List<Finding> findings = new ArrayList<>();
        for (String[] parts : Arrays.asList(told).subList(1, told.length)) {
            findings.add(isAsked ? Finding.numbered(parts) : new Finding(parts));
        }
        Told all = new Told(name, told[0][0], Collections.unmodifiableList(findings));
        if (isAsked) {
            agent.expect(number, name, all.numbers(expected));
        }
        return all;
    }
}
