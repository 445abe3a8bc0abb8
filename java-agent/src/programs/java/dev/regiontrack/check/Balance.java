package dev.regiontrack.check;

import dev.regiontrack.runtime.bridge.EventCodes;
import dev.regiontrack.runtime.testing.JavaTransport;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks that the records of ended threads are balanced: as many ends as begins, no lock taken twice without a release,
 * at most one join for each fork. At the end of the stack a release can be lost, and is counted. Of items: positions grow,
 * no block ends that was not open, and an inner block begins after the outer one.
 */
public final class Balance {
    private long open;
    private long negative;
    private boolean hasItems;
    /** The position of the last item, and the begins of the blocks that the items have left open. */
    private long position;
    private final ArrayDeque<Long> begins = new ArrayDeque<>();
    private final Map<Long, Integer> held = new HashMap<>();
    /** By thread: forks without a join. */
    private final Map<Long, Integer> forked = new HashMap<>();

    private Balance() {
        begins.add(0L);
    }

    /** What is not balanced, or "balanced". */
    public static String check() {
        StringBuilder faults = new StringBuilder();
        for (Map.Entry<Integer, List<long[]>> e : JavaTransport.records().entrySet()) {
            Balance b = new Balance();
            for (long[] part : e.getValue()) {
                for (int i = 0; i < part.length; i += 2) {
                    b.record((int) part[i] & 255, part[i + 1]);
                }
            }
            b.held.values().removeIf(n -> n <= 1);
            if (b.open != 0 || b.negative != 0 || !b.held.isEmpty()) {
                faults.append("thread ").append(e.getKey()).append(" open ").append(b.open).append(" negative ").append(b.negative).append(" held ").append(b.held);
            }
        }
        return faults.length() == 0 ? "balanced" : faults.toString();
    }

    /** How many joins were recorded. */
    public static long joins() {
        long joins = 0;
        for (List<long[]> parts : JavaTransport.records().values()) {
            for (long[] part : parts) {
                for (int i = 0; i < part.length; i += 2) {
                    joins += ((int) part[i] & 255) == EventCodes.JOIN ? 1 : 0;
                }
            }
        }
        return joins;
    }

    private void record(int code, long word) {
        hasItems |= code == 0;
        if (hasItems) {
            item(code, word);
            return;
        }
        switch (code) {
            case EventCodes.BEGIN: open++; break;
            case EventCodes.END: open--; break;
            case EventCodes.ACQUIRE: held.merge(word, 1, Integer::sum); break;
            case EventCodes.RELEASE: held.merge(word, -1, Integer::sum); break;
            case EventCodes.FORK: forked.put(word, 1); break;
            case EventCodes.JOIN: forked.merge(word, -1, Integer::sum); break;
            default: return;
        }
        negative += open < 0 || held.getOrDefault(word, 0) < 0 || forked.getOrDefault(word, 0) < 0 ? 1 : 0;
    }

    private void item(int code, long word) {
        switch (code) {
            case 0: negative += word < position ? 1 : 0; position = word; break;
            case EventCodes.PUSH: negative += word <= begins.getFirst() || word > position ? 1 : 0; begins.addFirst(word); break;
            case EventCodes.POP: begins.removeFirst(); break;
            default:
        }
    }
}
