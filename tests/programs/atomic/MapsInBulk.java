package atomic;

import modelled.BulkCalls;
import modelled.Calls;
import schedule.Turns;

/**
 * Operations on all entries of a map, made once in a method, after a change of the map by another thread and before one.
 */
public class MapsInBulk {
    private final Turns turns = new Turns();

    boolean once(Calls.Case<?> call) {
        turns.give(call::other);
        boolean isNull = call.call(0) == null;
        turns.give(call::other);
        return isNull;
    }

    public static void main(String[] args) throws InterruptedException {
        MapsInBulk p = new MapsInBulk();
        Calls calls = new BulkCalls();
        p.turns.run(() -> {
            for (Calls.Case<?> call : calls.reads()) {
                call.begin();
                p.once(call);
            }
        });
        System.out.println(calls.reads().size());
    }
}
