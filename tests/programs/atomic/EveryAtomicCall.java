package atomic;

import modelled.Calls;
import modelled.AtomicCalls;
import schedule.Turns;

/**
 * Calls of atomic variables, handles and locks, each made once in a method, after one of another thread and before one, with which it conflicts.
 */
public class EveryAtomicCall {
    private final Turns turns = new Turns();

    boolean once(Calls.Case<?> call, int time) {
        turns.give(call::other);
        boolean isNull = call.call(time) == null;
        turns.give(call::other);
        return isNull;
    }

    public static void main(String[] args) throws InterruptedException {
        EveryAtomicCall p = new EveryAtomicCall();
        Calls calls = new AtomicCalls();
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
