package programs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.glassfish.grizzly.PortRange;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;

/** Grizzly's HTTP server, loaded over loopback. */
public final class Grizzly {
    private Grizzly() {
    }

    /** The arguments are clients and requests of each. */
    public static void main(String[] arguments) throws Exception {
        HttpServer server = new HttpServer();
        NetworkListener listener = new NetworkListener("loopback", "127.0.0.1", new PortRange(20000, 29999));
        server.addListener(listener);
        server.getServerConfiguration().addHttpHandler(new Answers(), "/");
        server.start();
        Web.load(listener.getPort(), Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        server.shutdownNow();
    }

    private static final class Answers extends HttpHandler {
        @Override
        public void service(Request request, Response response) throws IOException {
            boolean isGet = request.getMethod().getMethodString().equals("GET");
            byte[] body = request.getInputStream().readAllBytes();
            response.getWriter().write(isGet ? Web.page(request.getQueryString()) : Web.echo(new String(body, StandardCharsets.UTF_8)));
        }
    }
}
