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

    private final String method;
    private final String kind;
    private final String text;
    private final Where where;

    /** A finding from the parts that the agent reports. */
    Finding(String[] parts) {
        method = parts[0];
        kind = parts[1];
        text = parts[2].trim() + (method.isEmpty() ? "" : ALSO);
        Where before = null;
        for (int i = parts.length - 2; i >= OWN; i -= 2) {
            before = new Where("thread " + parts[i] + ", which came in between, was here", lines(parts[i + 1]), before);
        }
        where = new Where("thread " + parts[3] + ", whose " + (method.isEmpty() ? "block" : method) + " is not atomic, was here", lines(parts[4]), before);
    }

    private static List<String> lines(String text) {
        return text.isEmpty() ? Collections.emptyList() : new ArrayList<>(Arrays.asList(text.split("\n")));
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
