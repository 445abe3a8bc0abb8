import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Two threads ask whether a key is there and put it, the second one always while the first is at it. Says what is found. */
public final class Together {
    private final Map<String, Integer> known = new ConcurrentHashMap<>();

    private void add(Runnable meanwhile) {
        if (!known.containsKey("key")) {
            meanwhile.run();
            known.put("key", known.size());
        }
    }

    /** What a release is tried with. */
    public static void main(String[] arguments) throws InterruptedException {
        Together together = new Together();
        Thread second = new Thread(() -> together.add(() -> { }));
        together.add(() -> {
            second.start();
            while (second.getState() != Thread.State.TERMINATED) {
                Thread.onSpinWait();
            }
        });
        second.join();
        System.out.println(together.known);
    }
}
