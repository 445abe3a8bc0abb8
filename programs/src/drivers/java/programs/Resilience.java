package programs;

import dev.failsafe.Bulkhead;
import dev.failsafe.CircuitBreaker;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.RetryPolicy;
import java.io.IOException;
import java.time.Duration;

/** Failsafe: threads whose calls sometimes fail and are retried, through one circuit breaker and one bulkhead. */
public final class Resilience {
    private Resilience() {
    }

    /** The arguments are threads and calls of each. */
    public static void main(String[] arguments) throws Exception {
        int calls = Integer.parseInt(arguments[1]);
        RetryPolicy<Integer> retry = RetryPolicy.<Integer>builder().handle(IOException.class).withMaxAttempts(3).build();
        CircuitBreaker<Integer> breaker = CircuitBreaker.<Integer>builder().withFailureThreshold(90, 100).withDelay(Duration.ZERO).build();
        Bulkhead<Integer> bulkhead = Bulkhead.<Integer>builder(1).withMaxWaitTime(Duration.ofMinutes(1)).build();
        FailsafeExecutor<Integer> executor = Failsafe.with(retry, breaker, bulkhead);
        Team.print(Integer.parseInt(arguments[0]), number -> {
            int sum = 0;
            int failures = 0;
            for (int i = 0; i < calls; i++) {
                int call = i;
                try {
                    sum += executor.get(context -> answer(call, context.getAttemptCount()));
                } catch (FailsafeException failure) {
                    failures++;
                }
            }
            return "sum " + sum + ", " + failures + " failures";
        });
        System.out.println(breaker.isClosed() ? "closed" : "open");
    }

    /** Every fifth call fails at first, every thirtieth always. */
    private static int answer(int call, int attempts) throws IOException {
        if (call % 30 == 0 || call % 5 == 0 && attempts == 0) {
            throw new IOException("call " + call);
        }
        return call;
    }
}
