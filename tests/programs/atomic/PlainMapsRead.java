package atomic;

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
 * Maps that nobody changes: another thread's look, or the removal of what is not there, comes between two.
 */
public class PlainMapsRead {
    private final Map<String, Integer> hashMap = new HashMap<>();
    private final Map<String, Integer> linkedHashMap = new LinkedHashMap<>();
    private final Map<String, Integer> treeMap = new TreeMap<>();
    private final Map<String, Integer> identityHashMap = new IdentityHashMap<>();
    private final Map<String, Integer> weakHashMap = new WeakHashMap<>();
    private final Map<String, Integer> hashtable = new Hashtable<>();
    private final Map<TimeUnit, Integer> enumMap = new EnumMap<>(TimeUnit.class);
    private final Properties properties = new Properties();

    boolean inHashMap() {
        boolean had = hashMap.containsKey("k");
        Steps.done(1);
        Steps.await(2);
        return had == hashMap.containsKey("k");
    }

    boolean inLinkedHashMap() {
        boolean had = linkedHashMap.containsKey("k");
        Steps.done(3);
        Steps.await(4);
        return had == linkedHashMap.containsKey("k");
    }

    boolean inTreeMap() {
        boolean had = treeMap.containsKey("k");
        Steps.done(5);
        Steps.await(6);
        return had == treeMap.containsKey("k");
    }

    boolean inIdentityHashMap() {
        boolean had = identityHashMap.containsKey("k");
        Steps.done(7);
        Steps.await(8);
        return had == identityHashMap.containsKey("k");
    }

    boolean inWeakHashMap() {
        boolean had = weakHashMap.containsKey("k");
        Steps.done(9);
        Steps.await(10);
        return had == weakHashMap.containsKey("k");
    }

    boolean inHashtable() {
        boolean had = hashtable.containsKey("k");
        Steps.done(11);
        Steps.await(12);
        return had == hashtable.containsKey("k");
    }

    int inEnumMap() {
        int size = enumMap.size();
        Steps.done(13);
        Steps.await(14);
        return size + enumMap.size();
    }

    String inProperties() {
        String seen = properties.getProperty("k");
        Steps.done(15);
        Steps.await(16);
        return seen + properties.getProperty("k", "none");
    }

    public static void main(String[] args) throws InterruptedException {
        PlainMapsRead p = new PlainMapsRead();
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
            p.hashMap.getOrDefault("k", 1);
            Steps.done(2);
            Steps.await(3);
            p.linkedHashMap.getOrDefault("k", 1);
            Steps.done(4);
            Steps.await(5);
            p.treeMap.getOrDefault("k", 1);
            Steps.done(6);
            Steps.await(7);
            p.identityHashMap.getOrDefault("k", 1);
            Steps.done(8);
            Steps.await(9);
            p.weakHashMap.getOrDefault("k", 1);
            Steps.done(10);
            Steps.await(11);
            p.hashtable.getOrDefault("k", 1);
            Steps.done(12);
            Steps.await(13);
            p.enumMap.remove(TimeUnit.DAYS);
            Steps.done(14);
            Steps.await(15);
            p.properties.stringPropertyNames();
            Steps.done(16);
        });
        System.out.println(p.hashMap.size() + p.enumMap.size());
    }
}
