package loose;

import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.StandardEngine;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.core.StandardService;

/** Pull request 994: both threads ask web applications for their servlet contexts. */
public final class Context {
    private Context() {
    }

    public static void main(String[] args) throws Exception {
        StandardEngine engine = new StandardEngine();
        engine.setService(new StandardService());
        StandardHost host = new StandardHost();
        host.setParent(engine);
        Object[] contexts = Both.objects(100, round -> {
            StandardContext context = new StandardContext();
            context.setParent(host);
            return context;
        });
        Both.Part ask = round -> ((StandardContext) contexts[round]).getServletContext();
        Both.run(100, ask, ask);
    }
}
