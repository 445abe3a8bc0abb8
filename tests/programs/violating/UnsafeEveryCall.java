package violating;

import modelled.Calls;
import modelled.UnsafeCalls;
import schedule.Turns;

/**
 * Accesses by an offset, each made twice in a method, with one of another thread between that conflicts with it.
 */
public class UnsafeEveryCall {
    private final Turns turns = new Turns();

    // finding: violating.UnsafeEveryCall.reads(modelled.Calls$Case) unrepeatable read
    // violated: violating.UnsafeEveryCall.reads(modelled.Calls$Case) 18
    boolean reads(Calls.Case<?> call) {
        call.call(0);
        turns.give(call::other);
        return call.call(1) == null;
    }

    // finding: violating.UnsafeEveryCall.writes(modelled.Calls$Case) torn update
    // violated: violating.UnsafeEveryCall.writes(modelled.Calls$Case) 29
    boolean writes(Calls.Case<?> call) {
        call.call(0);
        turns.give(call::other);
        return call.call(1) == null;
    }

    public static void main(String[] args) throws InterruptedException {
        UnsafeEveryCall p = new UnsafeEveryCall();
        Calls calls = new UnsafeCalls();
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
