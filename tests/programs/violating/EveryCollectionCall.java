package violating;

import modelled.Calls;
import modelled.CollectionCalls;
import schedule.Turns;

/**
 * Calls of collections, each made twice in a method, with one of another thread between that conflicts with it.
 */
public class EveryCollectionCall {
    private final Turns turns = new Turns();

    // finding: violating.EveryCollectionCall.reads(modelled.Calls$Case) unrepeatable read
    // violated: violating.EveryCollectionCall.reads(modelled.Calls$Case) 67
    boolean reads(Calls.Case<?> call) {
        call.call(0);
        turns.give(call::other);
        return call.call(1) == null;
    }

    // finding: violating.EveryCollectionCall.writes(modelled.Calls$Case) torn update
    // violated: violating.EveryCollectionCall.writes(modelled.Calls$Case) 49
    boolean writes(Calls.Case<?> call) {
        call.call(0);
        turns.give(call::other);
        return call.call(1) == null;
    }

    public static void main(String[] args) throws InterruptedException {
        EveryCollectionCall p = new EveryCollectionCall();
        Calls calls = new CollectionCalls();
        p.turns.run(() -> {
            for (Calls.Case<?> call : calls.reads()) {
                call.begin();
                p.reads(call);
            }
            for (Calls.Case<?> call : calls.writes()) {
                call.begin();
                p.writes(call);
            }
        });
        System.out.println(calls.reads().size() + " " + calls.writes().size());
    }
}
