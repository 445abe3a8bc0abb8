package online;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;

import javax.sql.PooledConnection;

import org.apache.derby.drda.NetworkServerControl;
import org.apache.derby.jdbc.ClientConnectionPoolDataSource;

/** DERBY-5561: a connection is tested for being closed and then used, and another thread closes it in between. */
public final class Derby {
    private Derby() {
    }

    public static void main(String[] args) throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        NetworkServerControl server = new NetworkServerControl(InetAddress.getByName("localhost"), port);
        server.start(null);
        await(server);
        ClientConnectionPoolDataSource source = new ClientConnectionPoolDataSource();
        source.setServerName("localhost");
        source.setPortNumber(port);
        source.setDatabaseName("memory:bugs");
        source.setCreateDatabase("create");
        PooledConnection pooled = source.getPooledConnection();
        Connection connection = pooled.getConnection();
        Race.run(() -> connection.nativeSQL("values 1"), Race.done(connection::close));
        pooled.close();
        server.shutdown();
    }

    private static void await(NetworkServerControl server) throws Exception {
        for (int attempts = 0;; attempts++) {
            try {
                server.ping();
                return;
            } catch (Exception e) {
                if (attempts >= 100) {
                    throw e;
                }
                Thread.sleep(100);
            }
        }
    }
}
