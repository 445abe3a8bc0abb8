package online;

import javax.servlet.ServletContext;

import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.StandardEngine;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.core.StandardService;

/** Pull request 994: the servlet context is created at the first request for it, and another thread creates another one. */
public final class Context {
    private Context() {
    }

    public static void main(String[] args) throws Exception {
        StandardEngine engine = new StandardEngine();
        engine.setService(new StandardService());
        StandardHost host = new StandardHost();
        host.setParent(engine);
        StandardContext context = new StandardContext();
        context.setParent(host);
        ServletContext[] made = new ServletContext[2];
        Race.run(Race.done(() -> made[0] = context.getServletContext()), Race.done(() -> made[1] = context.getServletContext()));
        System.out.println("the same: " + (made[0] == made[1]));
    }
}
