package programs;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.CompletableFuture;

/** A Vert.x verticle in two event loops, loaded over loopback. */
public final class Vertx {
    private static final CompletableFuture<Integer> PORT = new CompletableFuture<>();

    private Vertx() {
    }

    /** The arguments are clients and requests of each. */
    public static void main(String[] arguments) throws Exception {
        io.vertx.core.Vertx vertx = io.vertx.core.Vertx.vertx();
        DeploymentOptions options = new DeploymentOptions().setInstances(2);
        vertx.deployVerticle(Server.class, options).toCompletionStage().toCompletableFuture().get();
        Web.load(PORT.get(), Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        vertx.close().toCompletionStage().toCompletableFuture().get();
    }

    /** Both instances share one port. */
    public static final class Server extends AbstractVerticle {
        @Override
        public void start(Promise<Void> started) {
            // With a negative port, the instances share a port that the system chooses.
            HttpServer server = vertx.createHttpServer().requestHandler(Server::answer);
            server.listen(-1, "127.0.0.1").onSuccess(listening -> {
                PORT.complete(listening.actualPort());
                started.complete();
            }).onFailure(started::fail);
        }

        private static void answer(HttpServerRequest request) {
            if (request.method() == HttpMethod.GET) {
                request.response().end(Web.page(request.query()));
            } else {
                request.body().onSuccess(body -> request.response().end(Web.echo(body.toString())));
            }
        }
    }
}
