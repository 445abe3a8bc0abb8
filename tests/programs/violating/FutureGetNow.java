package violating;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import schedule.Steps;

/**
 * A future that one thread completes, and one with which the other answers, inside one method; one of them fails.
 */
public class FutureGetNow {
    private final CompletableFuture<String> request = new CompletableFuture<>();
    private final CompletableFuture<String> reply = new CompletableFuture<>();

    // finding: violating.FutureGetNow.ask() interference
    String ask() {
        String early = reply.getNow("nothing");
        request.complete("request");
        Steps.done(1);
        Steps.await(2);
        try {
            return early + reply.getNow("too late");
        } catch (CompletionException e) {
            return early + e.getCause().getMessage();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        FutureGetNow p = new FutureGetNow();
        Steps.run(() -> System.out.println(p.ask()), () -> {
            Steps.await(1);
            p.reply.completeExceptionally(new IllegalStateException("reply to " + p.request.getNow("none")));
            Steps.done(2);
        });
    }
}
