package loose;

import org.apache.catalina.core.ApplicationContext;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.StandardEngine;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.core.StandardService;

/** Bug 53498: both threads set an attribute of a web application and remove it. */
public final class Tomcat {
    private Tomcat() {
    }

    public static void main(String[] args) throws Exception {
        StandardEngine engine = new StandardEngine();
        engine.setService(new StandardService());
        StandardHost host = new StandardHost();
        host.setParent(engine);
        StandardContext standard = new StandardContext();
        standard.setParent(host);
        ApplicationContext context = new ApplicationContext(standard);
        Both.Part change = round -> {
            context.setAttribute("name", "value");
            context.removeAttribute("name");
        };
        Both.run(1000, change, change);
    }
}
