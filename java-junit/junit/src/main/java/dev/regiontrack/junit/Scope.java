package dev.regiontrack.junit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * A test, or a class of tests, of which the agent tells the violations: those of the thread that works for it, of threads that it starts and tasks that it gives
 * to executors and futures, and so on. What a test leaves running when it has ended belongs to its class.
 */
public final class Scope {
    private final Agent agent;
    private final String name;
    private final int number;
    /** The one for which the thread worked before. */
    private int former;

    private Scope(Agent agent, String name, int number) {
        this.agent = agent;
        this.name = name;
        this.number = number;
    }

    /** The running thread works for a new scope inside {@code around} or, if that is null, inside the one for which it works. Null without the agent. */
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

    /** As the agent calls it. */
    int number() {
        return number;
    }

    /** The running thread works for this scope from now on. Returns the number of the former one, for {@link #leave}. */
    public int enter() {
        return agent.enter(number);
    }

    /** And for the former one again. */
    public void leave(int former) {
        agent.enter(former);
    }

    /** The scope ends, and the running thread works for the one for which it worked before. Waits for the analysis. */
    public Told end() {
        String[][] told = agent.end(number);
        agent.enter(former);
        List<Finding> findings = new ArrayList<>();
        Arrays.stream(told).skip(1).map(Finding::new).forEach(findings::add);
        return new Told(name, told[0][0], Collections.unmodifiableList(findings));
    }
}
