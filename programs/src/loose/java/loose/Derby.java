package loose;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import org.apache.derby.drda.NetworkServerControl;
import org.apache.derby.jdbc.ClientConnectionPoolDataSource;

/** DERBY-5561: one thread uses connections, while the other one closes them. */
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
        Connection[] connections = new Connection[50];
        for (int round = 0; round < connections.length; round++) {
            connections[round] = source.getPooledConnection().getConnection();
        }
        Both.run(connections.length, round -> connections[round].nativeSQL("values 1"), round -> connections[round].close());
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
