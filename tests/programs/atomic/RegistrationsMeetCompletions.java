package atomic;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import schedule.Steps;

/**
 * One thread registers what is to run after futures that another one completes at that very moment. A call is one event: it comes before the completion or after it, not
 * both, though it registers first and looks at the result then.
 */
public class RegistrationsMeetCompletions {
    private static final int ROUNDS = 1_500;
    private static final List<BiFunction<CompletableFuture<Integer>, CompletableFuture<Integer>, Object>> CALLS = List.of(
        (one, other) -> one.thenApply(n -> n + 1),
        (one, other) -> one.thenCombine(other, Integer::sum),
        (one, other) -> other.thenCombine(one, Integer::sum),
        (one, other) -> one.thenCompose(n -> other),
        (one, other) -> one.applyToEither(other, n -> n),
        (one, other) -> one.copy(),
        (one, other) -> one.handle((n, e) -> n),
        (one, other) -> one.exceptionally(e -> 0),
        (one, other) -> one.whenComplete((n, e) -> { }),
        (one, other) -> one.runAfterBoth(other, () -> { }),
        (one, other) -> other.acceptEither(one, n -> { }),
        (one, other) -> one.thenApplyAsync(n -> n, Runnable::run),
        (one, other) -> CompletableFuture.allOf(one, other, one, other),
        (one, other) -> CompletableFuture.allOf(other, one, other),
        (one, other) -> CompletableFuture.anyOf(one, other));

    private final BiFunction<CompletableFuture<Integer>, CompletableFuture<Integer>, Object> call;

    RegistrationsMeetCompletions(BiFunction<CompletableFuture<Integer>, CompletableFuture<Integer>, Object> call) {
        this.call = call;
    }

    Object register(CompletableFuture<Integer> one, CompletableFuture<Integer> other) {
        return call.apply(one, other);
    }

    boolean complete(CompletableFuture<Integer> future) {
        return future.complete(1);
    }

    public static void main(String[] args) throws InterruptedException {
        int n = ROUNDS * CALLS.size();
        CompletableFuture<?>[][] futures = new CompletableFuture<?>[n][2];
        for (int i = 0; i < n; i++) {
            futures[i] = new CompletableFuture<?>[] {new CompletableFuture<Integer>(), new CompletableFuture<Integer>()};
        }
        List<RegistrationsMeetCompletions> all = new ArrayList<>();
        CALLS.forEach(call -> all.add(new RegistrationsMeetCompletions(call)));
        Steps.run(() -> {
            for (int i = 0; i < n; i++) {
                Steps.done(2 * i + 1);
                all.get(i % all.size()).register(future(futures[i][0]), future(futures[i][1]));
                Steps.await(2 * i + 2);
            }
        }, () -> {
            for (int i = 0; i < n; i++) {
                Steps.await(2 * i + 1);
                for (int k = i / all.size() % 64; k > 0; k--) {
                    Thread.onSpinWait();
                }
                all.get(i % all.size()).complete(future(futures[i][0]));
                Steps.done(2 * i + 2);
            }
        });
        System.out.println("done");
    }

    @SuppressWarnings("unchecked")
    private static CompletableFuture<Integer> future(CompletableFuture<?> future) {
        return (CompletableFuture<Integer>) future;
    }
}
