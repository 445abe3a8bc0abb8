package online;

import org.apache.commons.dbcp.cpdsadapter.DriverAdapterCPDS;
import org.apache.commons.dbcp.datasources.SharedPoolDataSource;

/** DBCP-369: the keys of all data sources are iterated over under a lock, and another thread removes one without it. */
public final class Dbcp {
    private Dbcp() {
    }

    public static void main(String[] args) throws Exception {
        SharedPoolDataSource other = new SharedPoolDataSource();
        other.setConnectionPoolDataSource(new DriverAdapterCPDS());
        new SharedPoolDataSource().setConnectionPoolDataSource(new DriverAdapterCPDS());
        SharedPoolDataSource source = new SharedPoolDataSource();
        Race.run(Race.done(() -> source.setConnectionPoolDataSource(new DriverAdapterCPDS())), Race.done(other::close));
    }
}
