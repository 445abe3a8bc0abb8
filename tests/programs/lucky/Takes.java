package lucky;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import schedule.Steps;

/**
 * Two threads change the same values, one after the other. A change that depends on what it finds, such as a compare-and-set, cannot have gone wrong in any other order,
 * and nothing comes between what one call does; a change that does not, could have.
 */
public class Takes {
    private static final AtomicIntegerFieldUpdater<Takes> LEFT = AtomicIntegerFieldUpdater.newUpdater(Takes.class, "left");

    private final AtomicInteger blind = new AtomicInteger(9);
    private final AtomicInteger number = new AtomicInteger(9);
    private volatile int left = 9;
    private final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();

    void setsBlindly() {
        int n = blind.get();
        blind.set(n - 1);
    }

    boolean comparesAndSets() {
        int n = number.get();
        return number.compareAndSet(n, n - 1);
    }

    boolean comparesAndSetsTheField() {
        int n = LEFT.get(this);
        return LEFT.compareAndSet(this, n, n - 1);
    }

    boolean replaces() {
        Integer n = map.get("n");
        return map.replace("n", n, n - 1);
    }

    boolean removes() {
        Integer n = map.get("gone");
        return map.remove("gone", n);
    }

    boolean putsIfAbsent() {
        return map.containsKey("new") || map.putIfAbsent("new", 1) == null;
    }

    Object puts() {
        return map.put("single", 1);
    }

    int looks() {
        return map.size() + map.getOrDefault("single", 0);
    }

    public static void main(String[] args) throws InterruptedException {
        Takes takes = new Takes();
        takes.map.put("n", 9);
        takes.map.put("gone", 9);
        Steps.run(() -> {
            takes.setsBlindly();
            System.out.println(takes.comparesAndSets() && takes.comparesAndSetsTheField() && takes.replaces() && takes.putsIfAbsent());
            takes.puts();
            System.out.println(takes.removes());
            Steps.done(1);
        }, () -> {
            Steps.await(1);
            takes.setsBlindly();
            System.out.println(takes.comparesAndSets() && takes.comparesAndSetsTheField() && takes.replaces() && takes.putsIfAbsent());
            System.out.println(takes.looks());
            takes.map.put("gone", 8);
            System.out.println(takes.removes());
        });
    }
}
