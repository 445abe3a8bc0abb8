package programs;

import java.io.File;
import org.apache.catalina.Context;

/** Tomcat with a servlet, loaded over loopback. */
public final class Tomcat {
    private Tomcat() {
    }

    /** The arguments are clients and requests of each. */
    public static void main(String[] arguments) throws Exception {
        org.apache.catalina.startup.Tomcat tomcat = new org.apache.catalina.startup.Tomcat();
        tomcat.setBaseDir(new File("tomcat").getAbsolutePath());
        tomcat.setPort(0);
        Context context = tomcat.addContext("", null);
        org.apache.catalina.startup.Tomcat.addServlet(context, "pages", new Pages());
        context.addServletMappingDecoded("/*", "pages");
        // Asking for the connector creates it.
        tomcat.getConnector();
        tomcat.start();
        Web.load(tomcat.getConnector().getLocalPort(), Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        tomcat.stop();
        tomcat.destroy();
    }
}
