package atomic;

import java.util.concurrent.CompletableFuture;
import schedule.Steps;

/**
 * Who finds a future not complete comes after nobody.
 */
public class FutureNotYet {
    private final CompletableFuture<String> request = new CompletableFuture<>();
    private final CompletableFuture<String> reply = new CompletableFuture<>();

    String ask() {
        request.complete("request");
        Steps.done(1);
        Steps.await(2);
        return reply.getNow("nothing");
    }

    public static void main(String[] args) throws InterruptedException {
        FutureNotYet p = new FutureNotYet();
        Steps.run(() -> System.out.println(p.ask()), () -> {
            Steps.await(1);
            p.request.join();
            Steps.done(2);
        });
        System.out.println(p.reply.complete("reply") + p.reply.getNow("nothing"));
    }
}
