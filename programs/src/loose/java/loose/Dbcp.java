package loose;

import org.apache.commons.dbcp.cpdsadapter.DriverAdapterCPDS;
import org.apache.commons.dbcp.datasources.SharedPoolDataSource;

/** DBCP-369: one thread creates data sources, while the other one creates some and closes them. */
public final class Dbcp {
    private Dbcp() {
    }

    public static void main(String[] args) throws Exception {
        Both.run(200, round -> make(), round -> make().close());
    }

    private static SharedPoolDataSource make() {
        SharedPoolDataSource source = new SharedPoolDataSource();
        source.setConnectionPoolDataSource(new DriverAdapterCPDS());
        return source;
    }
}
