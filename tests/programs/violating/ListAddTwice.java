package violating;

import java.util.ArrayList;
import java.util.List;
import schedule.Steps;

/**
 * Two elements are added to a list, and another thread looks at it when it has one of them. The second addition is no repetition of the first.
 */
public class ListAddTwice {
    private final List<String> list = new ArrayList<>();

    // finding: violating.ListAddTwice.both() torn update
    void both() {
        list.add("a");
        Steps.done(1);
        Steps.await(2);
        list.add("b");
    }

    public static void main(String[] args) throws InterruptedException {
        ListAddTwice p = new ListAddTwice();
        Steps.run(p::both, () -> {
            Steps.await(1);
            System.out.println(p.list.size());
            Steps.done(2);
        });
        System.out.println(p.list);
    }
}
