package violating;

import modelled.BulkCalls;
import modelled.Calls;
import schedule.Turns;

/**
 * Operations on all entries of a map, made twice in a method, with a change of the map by another thread between. Their tasks
 * are done by the thread itself, so it waits for nobody.
 */
public class MapsInBulk {
    private final Turns turns = new Turns();

    // finding: violating.MapsInBulk.twice(modelled.Calls$Case) unrepeatable read
    // violated: violating.MapsInBulk.twice(modelled.Calls$Case) 23
    boolean twice(Calls.Case<?> call) {
        call.call(0);
        turns.give(call::other);
        return call.call(1) == null;
    }

    public static void main(String[] args) throws InterruptedException {
        MapsInBulk p = new MapsInBulk();
        Calls calls = new BulkCalls();
        p.turns.run(() -> {
            for (Calls.Case<?> call : calls.reads()) {
                call.begin();
                p.twice(call);
            }
        });
        System.out.println(calls.reads().size());
    }
}
