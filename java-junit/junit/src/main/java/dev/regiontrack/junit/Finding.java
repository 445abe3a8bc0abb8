package dev.regiontrack.junit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** A violated method, and how the violation came about. */
public final class Finding {
    /** The number of parts before those of other threads: method, kind, text, thread, stack. */
    private static final int OWN = 5;

    /** An addition to the report's advice, which does without our libraries. */
    private static final String ALSO = "\n     - or say so in the source: @NotAtomic (regiontrack-annotations)";

    /** What stands before these parts if the agent has been asked for everything: a number, and whether it counts. */
    private static final int MORE = 2;

    private final String number;
    private final boolean counts;
    private final String method;
    private final String kind;
    private final String text;
    private final Where where;

    /** A finding from the parts that the agent reports. */
    Finding(String[] parts) {
        this("", true, parts);
    }

    private Finding(String number, boolean counts, String... parts) {
        this.number = number;
        this.counts = counts;
        method = parts[0];
        kind = parts[1];
        text = parts[2].trim() + (method.isEmpty() ? "" : ALSO);
        Where before = null;
        for (int i = parts.length - 2; i >= OWN; i -= 2) {
            before = new Where("thread " + parts[i] + ", which came in between, was here", lines(parts[i + 1]), before);
        }
        where = new Where("thread " + parts[3] + ", whose " + (method.isEmpty() ? "block" : method) + " is not atomic, was here", lines(parts[4]), before);
    }

    /** A finding from its parts with its number and whether it counts. */
    static Finding numbered(String[] parts) {
        return new Finding(parts[0], !parts[1].isEmpty(), Arrays.copyOfRange(parts, MORE, parts.length));
    }

    private static List<String> lines(String text) {
        return text.isEmpty() ? Collections.emptyList() : new ArrayList<>(Arrays.asList(text.split("\n")));
    }

    /** The agent's number for it. */
    String number() {
        return number;
    }

    /** False if it is suppressed or known: then no test fails because of it, but it can be expected. */
    boolean counts() {
        return counts;
    }

    /** The violated method, {@code com.example.Cache.get(java.lang.Object)}; empty if it has no name. */
    public String method() {
        return method;
    }

    /** The kind of violation, in the words of the report: {@code lost update}. */
    public String kind() {
        return kind;
    }

    /** Everything that the report says about the finding. */
    public String text() {
        return text;
    }

    /** Where the thread of the violated block was; its cause is where the other thread was, and so on. */
    public Throwable where() {
        return where;
    }

    @Override
    public String toString() {
        return (method.isEmpty() ? "a block" : method) + ": " + kind;
    }
}
