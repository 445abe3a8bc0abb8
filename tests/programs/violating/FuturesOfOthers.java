package violating;

import java.util.concurrent.CompletableFuture;
import schedule.Turns;

/**
 * What another thread has to do with a future inside a method, by what it has registered: a function that makes a second future, which is completed here; one of many
 * futures of a call; and who finds that it was not the first to complete one.
 */
public class FuturesOfOthers {
    private final Turns turns = new Turns();
    private int request;

    // finding: violating.FuturesOfOthers.composed() interference
    boolean composed() {
        CompletableFuture<Integer> future = new CompletableFuture<>();
        CompletableFuture<Integer> inner = new CompletableFuture<>();
        CompletableFuture<Integer> composed = future.thenCompose(x -> inner);
        request++;
        turns.give(() -> future.complete(request));
        inner.complete(1);
        return composed.isDone();
    }

    // finding: violating.FuturesOfOthers.oneOfMany() interference
    boolean oneOfMany() {
        CompletableFuture<?>[] all = new CompletableFuture<?>[40];
        for (int i = 0; i < all.length; i++) {
            all[i] = new CompletableFuture<Integer>();
        }
        request++;
        turns.give(() -> {
            if (request > 0) {
                CompletableFuture.anyOf(all);
            }
        });
        return all[38].complete(null);
    }

    // finding: violating.FuturesOfOthers.second() interference
    boolean second() {
        CompletableFuture<Integer> future = new CompletableFuture<>();
        request++;
        turns.give(() -> future.complete(request));
        return future.complete(0);
    }

    // finding: violating.FuturesOfOthers.allOfMany() interference
    boolean allOfMany() {
        CompletableFuture<?>[] all = new CompletableFuture<?>[40];
        for (int i = 0; i < all.length; i++) {
            all[i] = new CompletableFuture<Integer>();
        }
        CompletableFuture<Void> whole = CompletableFuture.allOf(all);
        request++;
        turns.give(() -> {
            if (request > 0) {
                all[7].complete(null);
            }
        });
        for (CompletableFuture<?> future : all) {
            future.complete(null);
        }
        return whole.isDone();
    }

    public static void main(String[] args) throws InterruptedException {
        FuturesOfOthers p = new FuturesOfOthers();
        p.turns.run(() -> System.out.println(p.composed() + " " + p.oneOfMany() + " " + p.second() + " " + p.allOfMany()));
    }
}
