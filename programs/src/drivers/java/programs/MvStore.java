package programs;

import java.util.SplittableRandom;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/** Threads that fill, read and clear maps of one MVStore. */
public final class MvStore {
    private MvStore() {
    }

    /** The arguments are threads and operations of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        MVStore store = new MVStore.Builder().open();
        MVMap<Integer, String> shared = store.openMap("shared");
        Team.print(Integer.parseInt(arguments[0]), number -> {
            MVMap<Integer, String> own = store.openMap("own" + number);
            SplittableRandom random = new SplittableRandom(number);
            int found = 0;
            for (int i = 0; i < size; i++) {
                int key = random.nextInt(size);
                found += own.put(key, "value " + i) != null ? 1 : 0;
                found += own.get(random.nextInt(size)) != null ? 1 : 0;
                if (i % 10 == 0) {
                    shared.put(number * size + i, "by " + number);
                    own.remove(key);
                }
            }
            return found + " found, " + own.size() + " left";
        });
        store.commit();
        System.out.println(shared.size() + " shared, first " + shared.firstKey() + ", last " + shared.lastKey());
        store.close();
    }
}
