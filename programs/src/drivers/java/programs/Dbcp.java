package programs;

import org.apache.commons.dbcp2.BasicDataSource;

/** Commons DBCP: threads that share a pool of connections with fewer connections than threads. */
public final class Dbcp {
    private Dbcp() {
    }

    /** The arguments are threads and uses of each. */
    public static void main(String[] arguments) throws Exception {
        int threads = Integer.parseInt(arguments[0]);
        PooledConnections.register();
        try (BasicDataSource pool = new BasicDataSource()) {
            pool.setUrl(PooledConnections.URL);
            pool.setMaxTotal(threads - 1);
            PooledConnections.load(pool, threads, Integer.parseInt(arguments[1]));
            System.out.println(pool.getNumActive() + " in use");
        }
    }
}
