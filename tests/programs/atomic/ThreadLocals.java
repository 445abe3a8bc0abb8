package atomic;

import java.util.ArrayList;
import java.util.List;
import schedule.Steps;

/**
 * What a thread keeps for itself is shared with nobody, although the key is.
 */
public class ThreadLocals {
    private static final ThreadLocal<int[]> COUNT = ThreadLocal.withInitial(() -> new int[1]);
    private static final ThreadLocal<List<String>> NAMES = new InheritableThreadLocal<>();

    int next() {
        COUNT.get()[0]++;
        NAMES.set(new ArrayList<>());
        NAMES.get().add("a");
        Steps.done(1);
        Steps.await(2);
        NAMES.get().add("b");
        NAMES.remove();
        return ++COUNT.get()[0];
    }

    public static void main(String[] args) throws InterruptedException {
        ThreadLocals p = new ThreadLocals();
        Steps.run(() -> System.out.println(p.next()), () -> {
            Steps.await(1);
            COUNT.get()[0]++;
            NAMES.set(List.of());
            Steps.done(2);
        });
    }
}
