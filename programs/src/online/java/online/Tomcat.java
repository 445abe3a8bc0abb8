package online;

import javax.servlet.ServletContextAttributeEvent;
import javax.servlet.ServletContextAttributeListener;

import org.apache.catalina.core.ApplicationContext;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.StandardEngine;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.core.StandardService;

/** Bug 53498: an attribute is searched, looked up and removed, and another thread removes it in between. */
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
        context.setAttribute("name", "value");
        Listener listener = new Listener();
        standard.setApplicationEventListeners(new Object[] {listener});
        Race.run(Race.done(() -> context.removeAttribute("name")), Race.done(() -> context.removeAttribute("name")));
        System.out.println("removed: " + listener.removed);
    }

    /** Counts removals. */
    private static final class Listener implements ServletContextAttributeListener {
        private int removed;

        @Override
        public void attributeAdded(ServletContextAttributeEvent event) {
        }

        @Override
        public void attributeRemoved(ServletContextAttributeEvent event) {
            removed++;
        }

        @Override
        public void attributeReplaced(ServletContextAttributeEvent event) {
        }
    }
}
