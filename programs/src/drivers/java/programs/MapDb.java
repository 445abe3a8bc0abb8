package programs;

import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

/** MapDB: threads that share a hash map and a tree. */
public final class MapDb {
    private MapDb() {
    }

    /** The arguments are threads and operations of each. */
    public static void main(String[] arguments) throws Exception {
        int threads = Integer.parseInt(arguments[0]);
        int size = Integer.parseInt(arguments[1]);
        try (DB db = DBMaker.memoryDB().make()) {
            ConcurrentMap<Integer, String> hash = db.hashMap("hash", Serializer.INTEGER, Serializer.STRING).create();
            ConcurrentNavigableMap<Integer, String> tree = db.treeMap("tree", Serializer.INTEGER, Serializer.STRING).create();
            Team.print(threads, number -> {
                SplittableRandom random = new SplittableRandom(number);
                int found = 0;
                for (int i = 0; i < size; i++) {
                    int key = random.nextInt(size) * threads + number;
                    found += hash.put(key, "hash " + i) != null ? 1 : 0;
                    found += tree.put(key, "tree " + i) != null ? 1 : 0;
                    found += hash.get(random.nextInt(size) * threads + number) != null ? 1 : 0;
                    if (i % 5 == 0) {
                        found += tree.remove(key) != null ? 1 : 0;
                    }
                }
                return found + " found";
            });
            System.out.println(hash.size() + " in the hash map, " + tree.size() + " in the tree, first " + tree.firstKey() + ", last " + tree.lastKey());
        }
    }
}
