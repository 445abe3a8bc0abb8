package violating;

import schedule.Scopes;

/**
 * A method forks tasks in a scope of structured concurrency that has threads of the platform, and joins them.
 */
public class ScopeOfPlatformThreads {
    private final int[] results = new int[2];
    private int start;

    private int put(int at) {
        results[at] = start + at;
        return at;
    }

    // waits inside: violating.ScopeOfPlatformThreads.both()
    int both() throws Exception {
        start = 3;
        Scopes.inPlatformThreads(() -> put(0), () -> put(1));
        return results[0] + results[1];
    }

    public static void main(String[] args) throws Exception {
        System.out.println(new ScopeOfPlatformThreads().both());
    }
}
