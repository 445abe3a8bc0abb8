package programs;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** A ZooKeeper server and clients over loopback. */
public final class ZooKeeperNodes {
    private ZooKeeperNodes() {
    }

    /** The arguments are clients and nodes of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        Path data = Files.createDirectories(Path.of("data"));
        ZooKeeperServer server = new ZooKeeperServer(data.toFile(), data.toFile(), 2000);
        NIOServerCnxnFactory connections = new NIOServerCnxnFactory();
        connections.configure(new InetSocketAddress("127.0.0.1", 0), 100);
        connections.startup(server);
        String address = "127.0.0.1:" + connections.getLocalPort();
        Team.print(Integer.parseInt(arguments[0]), client -> {
            CountDownLatch connected = new CountDownLatch(1);
            ZooKeeper keeper = new ZooKeeper(address, 60_000, event -> {
                if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                    connected.countDown();
                }
            });
            connected.await();
            Digest digest = new Digest();
            String root = keeper.create("/c" + client, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            for (int i = 0; i < size; i++) {
                String node = keeper.create(root + "/n", ("data " + i).getBytes(StandardCharsets.UTF_8), ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT_SEQUENTIAL);
                Stat stat = new Stat();
                digest.add(node).add(keeper.getData(node, false, stat)).add(stat.getVersion());
                keeper.setData(node, new byte[] {1}, 0);
                if (i % 2 == 0) {
                    keeper.delete(node, 1);
                }
            }
            digest.add(keeper.getChildren(root, false).size());
            keeper.close();
            return digest;
        });
        connections.shutdown();
    }
}
