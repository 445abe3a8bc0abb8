package rare;

import java.util.Map;
import java.util.function.Supplier;

/** The pairs by name, each as it goes wrong and as it does not. They are made by the code of this class, because a controlled scheduler knows no object that is made by reflection. */
public final class Pairs {
    private static final Map<String, Supplier<Pair>> ALL = Map.ofEntries(
            Map.entry("Seats$Wrong", () -> new Seats.Wrong()),
            Map.entry("Seats$Right", () -> new Seats.Right()),
            Map.entry("Registry$Wrong", () -> new Registry.Wrong()),
            Map.entry("Registry$Right", () -> new Registry.Right()),
            Map.entry("Counters$Wrong", () -> new Counters.Wrong()),
            Map.entry("Counters$Right", () -> new Counters.Right()),
            Map.entry("Lazy$Wrong", () -> new Lazy.Wrong()),
            Map.entry("Lazy$Right", () -> new Lazy.Right()),
            Map.entry("DoubleChecked$Wrong", () -> new DoubleChecked.Wrong()),
            Map.entry("DoubleChecked$Right", () -> new DoubleChecked.Right()),
            Map.entry("Iteration$Wrong", () -> new Iteration.Wrong()),
            Map.entry("Iteration$Right", () -> new Iteration.Right()),
            Map.entry("Words$Wrong", () -> new Words.Wrong()),
            Map.entry("Words$Right", () -> new Words.Right()),
            Map.entry("Upgrade$Wrong", () -> new Upgrade.Wrong()),
            Map.entry("Upgrade$Right", () -> new Upgrade.Right()),
            Map.entry("Permit$Wrong", () -> new Permit.Wrong()),
            Map.entry("Permit$Right", () -> new Permit.Right()),
            Map.entry("WaitInIf$Wrong", () -> new WaitInIf.Wrong()),
            Map.entry("WaitInIf$Right", () -> new WaitInIf.Right()),
            Map.entry("LateSignal$Wrong", () -> new LateSignal.Wrong()),
            Map.entry("LateSignal$Right", () -> new LateSignal.Right()),
            Map.entry("Virtual$Wrong", () -> new Virtual.Wrong()),
            Map.entry("Virtual$Right", () -> new Virtual.Right()),
            Map.entry("Streams$Wrong", () -> new Streams.Wrong()),
            Map.entry("Streams$Right", () -> new Streams.Right()),
            Map.entry("Timeouts$Wrong", () -> new Timeouts.Wrong()),
            Map.entry("Timeouts$Right", () -> new Timeouts.Right()),
            Map.entry("Optimistic$Wrong", () -> new Optimistic.Wrong()),
            Map.entry("Optimistic$Right", () -> new Optimistic.Right()),
            Map.entry("Tickets$Wrong", () -> new Tickets.Wrong()),
            Map.entry("Tickets$Right", () -> new Tickets.Right()),
            Map.entry("Slots$Wrong", () -> new Slots.Wrong()),
            Map.entry("Slots$Right", () -> new Slots.Right()),
            Map.entry("Ids$Wrong", () -> new Ids.Wrong()),
            Map.entry("Ids$Right", () -> new Ids.Right()),
            Map.entry("Jobs$Wrong", () -> new Jobs.Wrong()),
            Map.entry("Jobs$Right", () -> new Jobs.Right()),
            Map.entry("Range$Wrong", () -> new Range.Wrong()),
            Map.entry("Range$Right", () -> new Range.Right()),
            Map.entry("Promise$Wrong", () -> new Promise.Wrong()),
            Map.entry("Promise$Right", () -> new Promise.Right()),
            Map.entry("Transfer$Wrong", () -> new Transfer.Wrong()),
            Map.entry("Transfer$Right", () -> new Transfer.Right()));

    private Pairs() {
    }

    /** A new one: {@code Seats$Wrong}, {@code Seats$Right}. */
    public static Pair make(String name) {
        return ALL.get(name).get();
    }
}
