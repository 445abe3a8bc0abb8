package atomic;

import modelled.Calls;
import schedule.Turns;

/**
 * Calls of collections, atomic variables, handles and locks, and accesses by offsets, each made
 * once in a method, after one of another thread and before one, with which it conflicts.
 */
public class EveryCall {
    private final Turns turns = new Turns();

    boolean once(Calls.Case<?> call, int time) {
        turns.give(call::other);
        boolean isNull = call.call(time) == null;
        turns.give(call::other);
        return isNull;
    }

    public static void main(String[] args) throws Exception {
        EveryCall p = new EveryCall();
        Calls calls = Calls.everything();
        p.turns.run(() -> {
            for (Calls.Case<?> call : calls.all()) {
                call.begin();
                p.once(call, 0);
                p.once(call, 1);
            }
        });
        System.out.println(calls.all().size());
    }
}
