package atomic;

import modelled.Calls;
import modelled.UntouchedCalls;
import schedule.Turns;

/**
 * Calls that are given a collection or a map at which they do not look, each made twice in a method, with a change of the argument by another thread between.
 */
public class ArgumentsNotLookedAt {
    private final Turns turns = new Turns();

    boolean twice(Calls.Case<?> call) {
        call.call(0);
        turns.give(call::other);
        return call.call(1) == null;
    }

    public static void main(String[] args) throws Exception {
        ArgumentsNotLookedAt p = new ArgumentsNotLookedAt();
        Calls calls = new UntouchedCalls();
        p.turns.run(() -> {
            for (Calls.Case<?> call : calls.reads()) {
                call.begin();
                p.twice(call);
            }
        });
        System.out.println(calls.reads().size());
    }
}
