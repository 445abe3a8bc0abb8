package sequenced;

import modelled.Calls;
import schedule.Turns;

/**
 * Calls of collections that have a first and a last element: made twice in a method, with one of another thread between that conflicts with it; and once.
 */
public class EverySequencedCall {
    private final Turns turns = new Turns();

    // finding: sequenced.EverySequencedCall.reads(modelled.Calls$Case) unrepeatable read
    // finding: sequenced.EverySequencedCall.reads(modelled.Calls$Case) non-atomic iteration
    // violated: sequenced.EverySequencedCall.reads(modelled.Calls$Case) 77
    boolean reads(Calls.Case<?> call) {
        call.call(0);
        turns.give(call::other);
        return call.call(1) == null;
    }

    // finding: sequenced.EverySequencedCall.writes(modelled.Calls$Case) torn update
    // violated: sequenced.EverySequencedCall.writes(modelled.Calls$Case) 66
    boolean writes(Calls.Case<?> call) {
        call.call(0);
        turns.give(call::other);
        return call.call(1) == null;
    }

    boolean once(Calls.Case<?> call, int time) {
        turns.give(call::other);
        boolean isNull = call.call(time) == null;
        turns.give(call::other);
        return isNull;
    }

    public static void main(String[] args) throws InterruptedException {
        EverySequencedCall p = new EverySequencedCall();
        Calls calls = new SequencedCalls();
        p.turns.run(() -> {
            for (Calls.Case<?> call : calls.reads()) {
                call.begin();
                p.reads(call);
            }
            for (Calls.Case<?> call : calls.writes()) {
                call.begin();
                p.writes(call);
            }
            for (Calls.Case<?> call : calls.all()) {
                call.begin();
                p.once(call, 0);
            }
        });
        System.out.println(calls.reads().size() + " " + calls.writes().size());
    }
}
