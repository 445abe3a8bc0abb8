package programs;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** HikariCP: threads that share a pool of connections with fewer connections than threads. */
public final class Hikari {
    private Hikari() {
    }

    /** The arguments are threads and uses of each. */
    public static void main(String[] arguments) throws Exception {
        int threads = Integer.parseInt(arguments[0]);
        PooledConnections.register();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(PooledConnections.URL);
        config.setMaximumPoolSize(threads - 1);
        config.setConnectionTimeout(60_000);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            PooledConnections.load(pool, threads, Integer.parseInt(arguments[1]));
            System.out.println(pool.getHikariPoolMXBean().getActiveConnections() + " in use");
        }
    }
}
