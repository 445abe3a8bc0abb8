package programs;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Undertow, loaded over loopback. */
public final class UndertowServer {
    private UndertowServer() {
    }

    /** The arguments are clients and requests of each. */
    public static void main(String[] arguments) throws Exception {
        Undertow server = Undertow.builder().addHttpListener(0, "127.0.0.1").setHandler(new BlockingHandler(UndertowServer::answer)).build();
        server.start();
        int port = ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
        Web.load(port, Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        server.stop();
    }

    private static void answer(HttpServerExchange exchange) throws IOException {
        boolean isGet = exchange.getRequestMethod().equalToString("GET");
        byte[] body = exchange.getInputStream().readAllBytes();
        String answer = isGet ? Web.page(exchange.getQueryString()) : Web.echo(new String(body, StandardCharsets.UTF_8));
        exchange.getResponseSender().send(answer);
    }
}
