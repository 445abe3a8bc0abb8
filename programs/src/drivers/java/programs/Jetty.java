package programs;

import java.net.InetSocketAddress;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;

/** Jetty with a servlet, loaded over loopback. */
public final class Jetty {
    private Jetty() {
    }

    /** The arguments are clients and requests of each. */
    public static void main(String[] arguments) throws Exception {
        Server server = new Server(new InetSocketAddress("127.0.0.1", 0));
        ServletContextHandler context = new ServletContextHandler();
        context.addServlet(new ServletHolder(new Pages()), "/*");
        server.setHandler(context);
        server.start();
        int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
        Web.load(port, Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        server.stop();
        server.join();
    }
}
