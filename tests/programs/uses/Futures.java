package uses;

import static schedule.Threads.second;
import static schedule.Threads.third;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Futures that another thread completes, or does something with, after it has read what the method wrote, or without that.
 */
class Futures {
    private final CompletableFuture<Integer> future = new CompletableFuture<>();
    private final CompletableFuture<Integer> other = new CompletableFuture<>();
    private int value;

    boolean completedAfterReadIsViolated() {
        value = 1;
        second(() -> future.complete(value));
        return future.isDone();
    }

    boolean completedWithoutReadIsAtomic() {
        value = 1;
        second(() -> future.complete(7));
        return future.isDone();
    }

    int completedAfterReadButNotAskedIsAtomic() {
        value = 1;
        int seen = future.getNow(0);
        second(() -> future.complete(value));
        return seen;
    }

    int anotherCompletedAfterReadIsAtomic() {
        value = 1;
        second(() -> other.complete(value));
        return future.getNow(0);
    }

    int bothCompletedAndCombinedIsViolated() {
        value = 1;
        CompletableFuture<Integer> sum = future.thenCombine(other, Integer::sum);
        second(() -> future.complete(value));
        other.complete(2);
        return sum.join();
    }

    boolean oneOfBothCompletedIsAtomic() {
        value = 1;
        CompletableFuture<Integer> sum = future.thenCombine(other, Integer::sum);
        second(() -> other.complete(value));
        return sum.isDone();
    }

    boolean allOfByTwoThreadsIsViolated() {
        value = 1;
        CompletableFuture<Void> all = CompletableFuture.allOf(future, other);
        second(() -> future.complete(value));
        third(() -> other.complete(2));
        return all.isDone();
    }

    Object anyOfThatOtherPassesOnIsViolated() {
        value = 1;
        CompletableFuture<Object> any = CompletableFuture.anyOf(future, other);
        third(() -> other.complete(2));
        return any.join();
    }

    Object anyOfByTheOneThatReadIsViolated() {
        value = 1;
        CompletableFuture<Object> any = CompletableFuture.anyOf(future, other);
        second(() -> future.complete(value));
        third(() -> other.complete(2));
        return any.join();
    }

    String failureSeenAfterReadIsViolated() {
        value = 1;
        second(() -> future.completeExceptionally(new IllegalStateException("" + value)));
        return future.exceptionally(e -> e.getMessage().length()).join() + "";
    }

    boolean cancelThatComesSecondIsViolated() {
        value = 1;
        second(() -> future.complete(value));
        return future.cancel(true);
    }

    boolean cancelThatComesFirstIsAtomic() {
        value = 1;
        boolean isCancelled = future.cancel(true);
        second(() -> future.complete(value));
        return isCancelled && value == 1;
    }

    int chainOfStagesIsViolated() {
        value = 1;
        CompletableFuture<Integer> chain = future.thenApply(n -> n + 1).thenCompose(n -> other.thenApply(m -> m + n)).whenComplete((n, e) -> { });
        second(() -> future.complete(value));
        third(() -> other.complete(3));
        return chain.getNow(0);
    }

    int registeredByOtherAndRunHereIsViolated() {
        value = 1;
        second(() -> {
            if (value == 1) {
                future.thenAccept(n -> { });
            }
        });
        future.complete(3);
        return 1;
    }

    int registeredByOtherWithoutReadIsAtomic() {
        value = 1;
        second(() -> future.thenAccept(n -> { }));
        future.complete(3);
        return value;
    }

    int obtrudedAfterReadIsViolated() {
        value = 1;
        second(() -> future.obtrudeValue(value + 1));
        return future.join();
    }

    int completedOnTimeoutByNobodyIsAtomic() {
        value = 1;
        future.completeOnTimeout(5, 1, TimeUnit.HOURS);
        second(() -> other.complete(value));
        return future.complete(6) ? 1 : 0;
    }

    int copyOfCompletedIsViolated() throws Exception {
        value = 1;
        CompletableFuture<Integer> copy = future.copy();
        second(() -> future.complete(value));
        return copy.get();
    }

    int eitherThatOtherPassesOnIsViolated() {
        value = 1;
        CompletableFuture<Integer> either = future.applyToEither(other, n -> n);
        second(() -> future.complete(3));
        third(() -> other.complete(value));
        return either.join();
    }
}
