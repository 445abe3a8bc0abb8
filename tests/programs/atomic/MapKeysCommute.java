package atomic;

import java.util.concurrent.ConcurrentHashMap;
import schedule.Steps;

/**
 * Keys that threads add do not conflict with each other, nor does a new value of an old key with the number of keys.
 */
public class MapKeysCommute {
    private final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();

    int addTwo(String one, String two) {
        map.put(one, 1);
        Steps.done(1);
        Steps.await(2);
        map.put(two, 2);
        return map.size();
    }

    int sizeTwice() {
        int size = map.size();
        Steps.done(3);
        Steps.await(4);
        return size - map.size();
    }

    public static void main(String[] args) throws InterruptedException {
        MapKeysCommute p = new MapKeysCommute();
        Steps.run(() -> {
            p.addTwo("a", "b");
            p.sizeTwice();
        }, () -> {
            Steps.await(1);
            p.map.put("c", 3);
            Steps.done(2);
            Steps.await(3);
            p.map.put("c", 4);
            p.map.putIfAbsent("c", 5);
            p.map.remove("d");
            p.map.remove("c", 6);
            Steps.done(4);
        });
        System.out.println(p.map.size());
    }
}
