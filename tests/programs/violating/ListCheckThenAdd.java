package violating;

import java.util.ArrayList;
import java.util.List;
import java.util.Vector;
import schedule.Steps;

/**
 * A list that is looked through and then added to; its operations and its iterators' steps are those of one variable.
 */
public class ListCheckThenAdd {
    private final List<String> names = new Vector<>(List.of("a"));
    private final List<String> copy = new ArrayList<>(List.of("x", "y"));

    // finding: violating.ListCheckThenAdd.addIfAbsent(java.lang.String) stale check-then-act on a collection
    void addIfAbsent(String name) {
        if (!names.contains(name)) {
            Steps.done(1);
            Steps.await(2);
            names.add(name);
        }
    }

    // finding: violating.ListCheckThenAdd.length() non-atomic iteration
    int length() {
        int length = 0;
        for (String name : copy) {
            length += name.length();
            if (length == 1) {
                Steps.done(3);
                Steps.await(4);
            }
        }
        return length;
    }

    public static void main(String[] args) throws InterruptedException {
        ListCheckThenAdd list = new ListCheckThenAdd();
        Steps.run(() -> {
            list.addIfAbsent("b");
            System.out.println(list.length());
        }, () -> {
            Steps.await(1);
            list.names.add("b");
            Steps.done(2);
            Steps.await(3);
            list.copy.set(1, "long");
            Steps.done(4);
        });
        System.out.println(list.names);
    }
}
