package dev.regiontrack.check;

import dev.regiontrack.runtime.bridge.EventCodes;
import dev.regiontrack.runtime.testing.JavaTransport;
import dev.regiontrack.runtime.bridge.NativeBridge;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Checks the recorded order of operations of the library against the one that the values show: no edge between two operations is one that did not
 * exist. Each outermost block of a thread is one operation of its log.
 *
 * <p>All events of two threads on one variable must be of one history. A read that is recorded after a write has seen it or a later one; a write that
 * is recorded after a read has not been seen by it, nor after a write been overwritten by it; nothing is recorded after what began when it had ended.
 * Of a thread's part of a queue only the last is checked, if the histories are those of its elements.
 */
public final class OperationCheck {
    /** The kind whose histories are those of threads' parts. */
    private static final String STATE = "state";

    /** An operation and its place in its history; {@code place} is that of what it wrote or, if it wrote nothing, of what it has seen. */
    private static final class Done {
        long history;
        long place;
        boolean isWrite;
        boolean isKnown;
        long start;
        long end;
    }

    /** What was recorded of a variable that several threads share. */
    private static final class Variable {
        Done first;
        long written = Long.MIN_VALUE;
        long read = Long.MIN_VALUE;
        long start = Long.MIN_VALUE;
        int thread;
    }

    /** Where a thread is in its log: the operations, how many blocks are open, which of them is next. */
    private static final class Reader {
        final Done[] operations;
        int depth;
        int next;

        Reader(Done[] operations) {
            this.operations = operations;
        }

        /** The operation that the event belongs to: a read outside belongs to the next one, which comes after it. */
        Done of(int code) {
            if (code == EventCodes.BEGIN) {
                depth++;
                return null;
            }
            if (code == EventCodes.END) {
                depth--;
                next += depth == 0 ? 1 : 0;
                return null;
            }
            boolean isIn = depth > 0 || code == EventCodes.READ;
            return isAccess(code) && isIn && next < operations.length ? operations[next] : null;
        }
    }

    private final Map<Integer, Reader> readers = new HashMap<>();
    private final Map<String, Integer> users = new HashMap<>();
    private final Set<String> shared = new HashSet<>();
    private final Set<String> written = new HashSet<>();
    private final Map<String, Variable> variables = new HashMap<>();
    private final long[] edges;
    private final String[] kinds;
    private long operations;
    private long wrong;
    private long unmatched;
    private String example = "";

    private OperationCheck(String[] kinds) {
        this.kinds = kinds;
        edges = new long[kinds.length];
    }

    /** Checks the logs of threads, by name, and prints one line; true if nothing is wrong. {@code kinds} are the names of the histories' kinds. */
    public static boolean check(Map<String, long[]> logs, String[] kinds) {
        OperationCheck check = new OperationCheck(kinds);
        TreeMap<Integer, List<long[]>> records = JavaTransport.records();
        check.place(logs, records);
        for (Map.Entry<Integer, List<long[]>> e : records.entrySet()) {
            check.scan(e.getKey(), e.getValue());
        }
        check.readers.values().forEach(reader -> reader.next = 0);
        long dependencies = Merge.of(records, check::event);
        StringBuilder line = new StringBuilder("operations " + check.operations + " wrong " + check.wrong + " unmatched " + check.unmatched + " dependencies "
            + dependencies + " lost " + JavaTransport.count(NativeBridge.LOST) + " edges");
        long fewest = Long.MAX_VALUE;
        for (int kind = 1; kind < kinds.length; kind++) {
            line.append(' ').append(kinds[kind]).append(' ').append(check.edges[kind]);
            fewest = Math.min(fewest, check.edges[kind]);
        }
        System.out.println(line + check.example);
        return check.wrong + check.unmatched == 0 && dependencies > 0 && fewest > 0;
    }

    // ---- what really happened

    private void place(Map<String, long[]> logs, Map<Integer, List<long[]>> records) {
        Map<String, Integer> numbers = new HashMap<>();
        records.keySet().forEach(thread -> numbers.put(JavaTransport.name(thread), thread));
        Map<Long, Map<Long, Long>> chains = new HashMap<>();
        for (long[] log : logs.values()) {
            for (int at = Operation.HEAD; at < log[0]; at += Operation.WORDS) {
                if ((log[at] & Operation.CHAIN) != 0 && log[at + 2] != 0) {
                    chains.computeIfAbsent(log[at], k -> new HashMap<>()).put(log[at + 1], log[at + 2]);
                }
            }
        }
        Map<Long, Map<Long, Long>> places = new HashMap<>();
        chains.forEach((history, next) -> places.put(history, places(next)));
        logs.forEach((name, log) -> {
            Integer thread = numbers.get(name);
            if (thread == null) {
                unmatched++;
            } else {
                readers.put(thread, new Reader(done(log, places)));
            }
        });
    }

    /** The places of a chain's values, which begins with 0. */
    private Map<Long, Long> places(Map<Long, Long> next) {
        Map<Long, Long> places = new HashMap<>();
        long place = 0;
        for (Long value = 0L; value != null; value = next.get(value)) {
            places.put(value, place++);
        }
        unmatched += next.size() + 1 - places.size();
        return places;
    }

    private Done[] done(long[] log, Map<Long, Map<Long, Long>> places) {
        Done[] all = new Done[((int) log[0] - Operation.HEAD) / Operation.WORDS];
        operations += all.length;
        for (int i = 0; i < all.length; i++) {
            int at = Operation.HEAD + i * Operation.WORDS;
            Done done = new Done();
            done.history = log[at];
            done.isWrite = log[at + 2] != 0;
            done.isKnown = log[at + 1] != Operation.UNKNOWN;
            long version = done.isWrite ? log[at + 2] : log[at + 1];
            boolean isChain = (done.history & Operation.CHAIN) != 0;
            Map<Long, Long> of = isChain ? places.getOrDefault(done.history, Map.of(0L, 0L)) : null;
            if (isChain && done.isKnown && !of.containsKey(version)) {
                unmatched++;
                done.isKnown = false;
            }
            done.place = isChain && done.isKnown ? of.get(version) : version;
            done.start = log[at + 3];
            done.end = log[at + 4];
            all[i] = done;
        }
        return all;
    }

    // ---- what was recorded

    private static boolean isAccess(int code) {
        return code == EventCodes.READ || code == EventCodes.WRITE || code == EventCodes.ACQUIRE || code == EventCodes.RELEASE;
    }

    /** Locks and variables have ids of their own; the extra word of a lock is a type. */
    private static String variable(int code, long extra, long id) {
        boolean isLock = code == EventCodes.ACQUIRE || code == EventCodes.RELEASE;
        return isLock ? "lock " + id : id + " " + extra;
    }

    /** Finds the variables that operations of several threads access, and that each operation is a block. */
    private void scan(int thread, List<long[]> parts) {
        Reader reader = readers.get(thread);
        if (reader == null) {
            return;
        }
        for (long[] part : parts) {
            for (int i = 0; i < part.length; i += 2) {
                int code = (int) part[i] & 255;
                if (code != EventCodes.DEPEND && code != EventCodes.UNSEEN && reader.of(code) != null) {
                    String variable = variable(code, part[i] >>> 32, part[i + 1]);
                    Integer user = users.putIfAbsent(variable, thread);
                    if (user != null && user != thread) {
                        shared.add(variable);
                    }
                    if (code != EventCodes.READ) {
                        written.add(variable);
                    }
                }
            }
        }
        unmatched += reader.next == reader.operations.length ? 0 : 1;
    }

    private String kind(Done done) {
        return kinds[(int) (done.history >> 52) & 63];
    }

    private void event(int thread, int code, long extra, long id) {
        Reader reader = readers.get(thread);
        Done done = reader == null ? null : reader.of(code);
        if (done == null) {
            return;
        }
        String name = variable(code, extra, id);
        // Reads of what nobody writes, such as the keys that there are, have no order.
        if (!shared.contains(name) || !written.contains(name)) {
            return;
        }
        Variable variable = variables.computeIfAbsent(name, k -> new Variable());
        boolean isWrite = code != EventCodes.READ;
        if (variable.first == null) {
            variable.first = done;
            variable.thread = thread;
        }
        boolean isOfMany = (code == EventCodes.READ || code == EventCodes.WRITE) && JavaTransport.isShare(id) && !kind(variable.first).equals(STATE);
        String why = isOfMany ? done.end < variable.start ? "began after its end" : "" : done.history == 0 ? "an operation without effect" : done.history != variable.first.history ? "another history"
            : isWrite && !done.isWrite ? "a write that only read" : done.end < variable.start ? "began after its end"
            : done.isKnown && done.place < variable.written ? "seen too late" : done.isKnown && isWrite && done.place <= variable.read ? "written too late" : "";
        if (!why.isEmpty()) {
            wrong++;
            example = example.isEmpty() ? "; " + why + ": " + kind(done) + " " + done.place + " after write " + variable.written
                + " and read " + variable.read : example;
        }
        edges[(int) (done.history >> 52) & 63] += variable.thread == thread ? 0 : 1;
        variable.thread = thread;
        if (isWrite) {
            variable.start = Math.max(variable.start, done.start);
        }
        if (isOfMany) {
            return;
        }
        if (done.isKnown && isWrite) {
            variable.written = Math.max(variable.written, done.place);
        }
        if (done.isKnown && !done.isWrite) {
            variable.read = Math.max(variable.read, done.place);
        }
    }
}
