package programs;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.Statement;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A driver whose connections do nothing, so that only the connection pool and the threads that share it are exercised. */
final class PooledConnections implements Driver {
    static final String URL = "jdbc:nothing:";

    private PooledConnections() {
    }

    /** Registers the driver. */
    static void register() throws Exception {
        DriverManager.registerDriver(new PooledConnections());
    }

    /** Runs threads that each take this many connections, execute a statement on each and return it. */
    static void load(DataSource pool, int threads, int uses) throws Exception {
        Team.print(threads, number -> {
            int updates = 0;
            for (int i = 0; i < uses; i++) {
                try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
                    updates += statement.executeUpdate("UPDATE " + i);
                }
            }
            return updates + " updates";
        });
    }

    @Override
    public Connection connect(String url, Properties properties) {
        return acceptsURL(url) ? idle(Connection.class) : null;
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith(URL);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }

    /** Creates an object whose methods return true, 1, null or, for an interface of {@code java.sql}, another such object. */
    private static <T> T idle(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(PooledConnections.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, values) -> {
            Class<?> result = method.getReturnType();
            if (method.getDeclaringClass() == Object.class) {
                return ofObject(proxy, method.getName(), values);
            } else if (result == boolean.class) {
                return !method.getName().equals("isClosed");
            } else if (result == int.class) {
                return 1;
            }
            return result.isInterface() && result.getName().startsWith("java.sql.") ? idle(result) : null;
        }));
    }

    private static Object ofObject(Object proxy, String method, Object[] values) {
        switch (method) {
            case "equals":
                return proxy == values[0];
            case "hashCode":
                return System.identityHashCode(proxy);
            default:
                return "nothing";
        }
    }
}
