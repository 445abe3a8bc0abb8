package violating;

import modelled.Calls;
import modelled.AtomicCalls;
import schedule.Turns;

/**
 * Calls of atomic variables, handles and locks, each made twice in a method, with one of another thread between that conflicts with it.
 */
public class EveryAtomicCall {
    private final Turns turns = new Turns();

    // finding: violating.EveryAtomicCall.reads(modelled.Calls$Case) unrepeatable read
    // violated: violating.EveryAtomicCall.reads(modelled.Calls$Case) 30
    boolean reads(Calls.Case<?> call) {
        call.call(0);
        turns.give(call::other);
        return call.call(1) == null;
    }

    // finding: violating.EveryAtomicCall.writes(modelled.Calls$Case) torn update
    // violated: violating.EveryAtomicCall.writes(modelled.Calls$Case) 62
    boolean writes(Calls.Case<?> call) {
        call.call(0);
        turns.give(call::other);
        return call.call(1) == null;
    }

    public static void main(String[] args) throws InterruptedException {
        EveryAtomicCall p = new EveryAtomicCall();
        Calls calls = new AtomicCalls();
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
