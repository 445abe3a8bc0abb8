package online;

import org.apache.commons.dbcp2.cpdsadapter.DriverAdapterCPDS;
import org.apache.commons.dbcp2.datasources.SharedPoolDataSource;

/** DBCP-369: the keys of all data sources are in a concurrent map. */
public final class Dbcp2 {
    private Dbcp2() {
    }

    public static void main(String[] args) throws Exception {
        SharedPoolDataSource other = new SharedPoolDataSource();
        other.setConnectionPoolDataSource(new DriverAdapterCPDS());
        new SharedPoolDataSource().setConnectionPoolDataSource(new DriverAdapterCPDS());
        SharedPoolDataSource source = new SharedPoolDataSource();
        Race.run(Race.done(() -> source.setConnectionPoolDataSource(new DriverAdapterCPDS())), Race.done(other::close));
    }
}
