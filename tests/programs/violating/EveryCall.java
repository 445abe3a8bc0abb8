package violating;

import modelled.Calls;
import schedule.Turns;

/**
 * Calls of collections, atomic variables, handles and locks, and accesses by offsets, each made
 * twice in a method, with one of another thread between that conflicts with it.
 */
public class EveryCall {
    private final Turns turns = new Turns();

    // finding: violating.EveryCall.reads(modelled.Calls$Case) unrepeatable read
    // finding: violating.EveryCall.reads(modelled.Calls$Case) non-atomic iteration
    // finding: violating.EveryCall.reads(modelled.Calls$Case) inconsistent view
    // violated: violating.EveryCall.reads(modelled.Calls$Case) 1096
    boolean reads(Calls.Case<?> call) {
        call.call(0);
        turns.give(call::other);
        return call.call(1) == null;
    }

    // finding: violating.EveryCall.writes(modelled.Calls$Case) torn update
    // finding: violating.EveryCall.writes(modelled.Calls$Case) non-atomic iteration
    // violated: violating.EveryCall.writes(modelled.Calls$Case) 373
    boolean writes(Calls.Case<?> call) {
        call.call(0);
        turns.give(call::other);
        return call.call(1) == null;
    }

    public static void main(String[] args) throws Exception {
        EveryCall p = new EveryCall();
        Calls calls = Calls.everything();
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
