package platform;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import schedule.Steps;

/**
 * By its model a list is one variable. One that is watched has its elements, and no model, however it is called: another element is changed here, so
 * there is no finding.
 */
// include: java.util.ArrayList
public class ListElements {
    /** Another class of the program, which inherits the methods. */
    private static final class Names extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Names(List<String> names) {
            super(names);
        }
    }

    static boolean byInterface(List<String> list) {
        String name = list.get(0);
        Steps.done(1);
        Steps.await(2);
        return name.equals(list.get(1));
    }

    static boolean byClass(ArrayList<String> list) {
        String name = list.get(0);
        Steps.done(3);
        Steps.await(4);
        return name.equals(list.get(1));
    }

    static boolean bySubclass(Names list) {
        String name = list.get(0);
        Steps.done(5);
        Steps.await(6);
        return name.equals(list.get(1));
    }

    public static void main(String[] args) throws InterruptedException {
        List<String> names = Collections.nCopies(3, "a");
        List<String> one = new ArrayList<>(names);
        ArrayList<String> two = new ArrayList<>(names);
        Names three = new Names(names);
        Steps.run(() -> {
            byInterface(one);
            byClass(two);
            bySubclass(three);
        }, () -> {
            Steps.await(1);
            one.set(2, "b");
            Steps.done(2);
            Steps.await(3);
            two.set(2, "b");
            Steps.done(4);
            Steps.await(5);
            three.set(2, "b");
            Steps.done(6);
        });
        System.out.println(one + " " + two + three);
    }
}
