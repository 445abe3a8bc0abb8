package atomic;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import schedule.Steps;

/** Collections that never leave the methods that make them: two threads at it, and nothing to record. */
public class OwnCollections {
    private static final int ROUNDS = 300_000;

    static long lists(int rounds) {
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            List<Integer> own = new ArrayList<>();
            own.add(i);
            own.add(1);
            for (int n : own) {
                sum += n;
            }
        }
        return sum;
    }

    static long maps(int rounds) {
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            Map<String, Integer> own = new HashMap<>();
            own.put("one", i);
            own.merge("one", 1, Integer::sum);
            sum += own.get("one") + own.keySet().size();
        }
        return sum;
    }

    private static long all() {
        return lists(ROUNDS) + maps(ROUNDS);
    }

    public static void main(String[] args) throws InterruptedException {
        Runnable all = () -> System.out.println("result " + all());
        Steps.run(all, all);
    }
}
