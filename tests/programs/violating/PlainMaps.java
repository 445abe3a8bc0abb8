package violating;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import schedule.Steps;

/**
 * Maps that are looked at and looked at again, or changed; another thread's change comes between the two.
 */
public class PlainMaps {
    private final Map<String, Integer> hashMap = new HashMap<>();
    private final Map<String, Integer> linkedHashMap = new LinkedHashMap<>();
    private final Map<String, Integer> treeMap = new TreeMap<>();
    private final Map<String, Integer> identityHashMap = new IdentityHashMap<>();
    private final Map<String, Integer> weakHashMap = new WeakHashMap<>();
    private final Map<String, Integer> hashtable = new Hashtable<>();
    private final Map<TimeUnit, Integer> enumMap = new EnumMap<>(TimeUnit.class);
    private final Properties properties = new Properties();

    // finding: violating.PlainMaps.inHashMap() unrepeatable read
    boolean inHashMap() {
        boolean had = hashMap.containsKey("k");
        Steps.done(1);
        Steps.await(2);
        return had == hashMap.containsKey("k");
    }

    // finding: violating.PlainMaps.inLinkedHashMap() unrepeatable read
    boolean inLinkedHashMap() {
        boolean had = linkedHashMap.containsKey("k");
        Steps.done(3);
        Steps.await(4);
        return had == linkedHashMap.containsKey("k");
    }

    // finding: violating.PlainMaps.inTreeMap() unrepeatable read
    boolean inTreeMap() {
        boolean had = treeMap.containsKey("k");
        Steps.done(5);
        Steps.await(6);
        return had == treeMap.containsKey("k");
    }

    // finding: violating.PlainMaps.inIdentityHashMap() unrepeatable read
    boolean inIdentityHashMap() {
        boolean had = identityHashMap.containsKey("k");
        Steps.done(7);
        Steps.await(8);
        return had == identityHashMap.containsKey("k");
    }

    // finding: violating.PlainMaps.inWeakHashMap() unrepeatable read
    boolean inWeakHashMap() {
        boolean had = weakHashMap.containsKey("k");
        Steps.done(9);
        Steps.await(10);
        return had == weakHashMap.containsKey("k");
    }

    // finding: violating.PlainMaps.inHashtable() unrepeatable read
    boolean inHashtable() {
        boolean had = hashtable.containsKey("k");
        Steps.done(11);
        Steps.await(12);
        return had == hashtable.containsKey("k");
    }

    // finding: violating.PlainMaps.inEnumMap() stale check-then-act on a collection
    void inEnumMap() {
        int size = enumMap.size();
        Steps.done(13);
        Steps.await(14);
        enumMap.put(TimeUnit.DAYS, size);
    }

    // finding: violating.PlainMaps.inProperties() lost update by get and put
    void inProperties() {
        String seen = properties.getProperty("k");
        Steps.done(15);
        Steps.await(16);
        properties.setProperty("k", seen + "!");
    }

    public static void main(String[] args) throws InterruptedException {
        PlainMaps p = new PlainMaps();
        Steps.run(() -> {
            p.inHashMap();
            p.inLinkedHashMap();
            p.inTreeMap();
            p.inIdentityHashMap();
            p.inWeakHashMap();
            p.inHashtable();
            p.inEnumMap();
            p.inProperties();
        }, () -> {
            Steps.await(1);
            p.hashMap.put("k", 1);
            Steps.done(2);
            Steps.await(3);
            p.linkedHashMap.put("k", 1);
            Steps.done(4);
            Steps.await(5);
            p.treeMap.put("k", 1);
            Steps.done(6);
            Steps.await(7);
            p.identityHashMap.put("k", 1);
            Steps.done(8);
            Steps.await(9);
            p.weakHashMap.put("k", 1);
            Steps.done(10);
            Steps.await(11);
            p.hashtable.put("k", 1);
            Steps.done(12);
            Steps.await(13);
            p.enumMap.putIfAbsent(TimeUnit.DAYS, 7);
            Steps.done(14);
            Steps.await(15);
            p.properties.setProperty("k", "other");
            Steps.done(16);
        });
        System.out.println(p.hashMap.size() + p.enumMap.size());
    }
}
