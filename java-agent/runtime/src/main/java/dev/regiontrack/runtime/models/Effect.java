package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The effect of a call of the platform's library, by the table of models. */
final class Effect {
    /** The kinds of effects. */
    enum Kind {
        /** Reads or writes the receiver's variable, at some time between the start of the call and its end. */
        READ, WRITE,
        /** Reads, and writes an unknown part of what it reads if the result says so. */
        UPDATE,
        /** The same, in one step, which calls no other code. */
        ATOMIC_READ, ATOMIC_WRITE,
        /** The result is a view, with the receiver's variable. */
        VIEW,
        /** Iteration over the keys of a concurrent map: returns what iterates; makes a step; says whether there are more; splits a part off. */
        ITERATE, STEP, OVER, SPLIT,
        /** Takes or releases the receiver's lock. */
        ACQUIRE, RELEASE,
        /** The same for a lock that holders share, or hold exclusively. */
        SHARE, UNSHARE, EXCLUDE, INCLUDE,
        /** For a lock with stamps: releases the hold that the first argument names; or turns it into a shared hold, if it is exclusive. */
        UNLOCK, DOWNGRADE,
        /** Releases a condition's lock and takes it again. */
        AWAIT,
        /** Hands the first argument over, or takes the result; both change the queue. An exchange does one or both, and nothing stays in it. */
        GIVE, TAKE, EXCHANGE,
        /** Takes the first argument out, if nothing else is equal to it; has only looked at the result. */
        TAKE_ARGUMENT, SEE,
        /** Looks at keys, or changes them, that are unknown. */
        UNKNOWN,
        /** No effect: the table says so, or the method is the program's own. */
        NONE
    }

    /**
     * The operation classes of calls: {@link Access} or {@link Bulk}, {@link Atomic}, {@link ObjectTable.View}, {@link Iteration}, {@link Locks},
     * {@link Queues}.
     */
    enum Family { ACCESS, ATOMIC, VIEW, ITERATION, LOCK, QUEUE }

    /** The results of a conditional call that mean that it had the effect. A write that did not take place was a read. */
    enum When {
        ALWAYS, NULL, NONNULL, TRUE, FALSE, NONZERO,
        /** For any result: a library's cache has run its loader in the thread, and put the loaded value in ({@link Loads}). */
        LOADED,
        /** The same; without a load, it is uncertain what the call has read. */
        REFRESHED,
        /** An optional without a value. */
        EMPTY,
        /** For the effect on an argument: the call returned true, or has certainly found something in its receiver. */
        FILLED;

        /** Returns the condition that a word of the table names. */
        static When of(String word) {
            return valueOf(word.toUpperCase(java.util.Locale.ROOT));
        }
    }

    /** The variable that is accessed. */
    enum Part {
        /** The receiver's state as a whole. */
        WHOLE(""),
        /** The receiver with the first argument, an object or an index. */
        KEY("key-"), ELEMENT("element-"),
        /** The receiver with each key of the first argument, if that is immutable. */
        EACH("each-"),
        /** All keys of the receiver, and the parts of all threads. */
        KEYS("keys-"),
        /** The key that the call returns, or an entry of it, and the parts of all threads. */
        RESULT("result-"),
        /** The key that the receiver, an iterator, has returned last; or the one of which the receiver is an entry. */
        LAST("last-"), ENTRY("entry-"),
        /** The map, as one variable, to which the receiver, an entry, belongs. */
        OWNER("owner-"),
        /** What a stream or an iterator sees that need not reach the end: unknown keys of a concurrent map; otherwise the whole. */
        SOME("some-"),
        /** The field or element to which the receiver, a handle or an updater, gives access. */
        TARGET("target-"),
        /** The thread's own part of the receiver's state, or the parts of all threads. */
        PART("part-"), PARTS("parts-"),
        /** The state of a queue: the thread's part of what was put in, its part of what was taken out, those of all threads. */
        ADDED("added-"), TAKEN("taken-"), QUEUE("queue-");

        private final String prefix;

        Part(String prefix) {
            this.prefix = prefix;
        }
    }

    private static final Part[] PARTS = Part.values();
    /** The effect of a call that has changed the number of keys. */
    static final Effect COUNT = new Effect(Kind.WRITE, When.ALWAYS, Part.PART, false, null, false, null, null, false);
    /** The effect of a call that turns out to be a write. */
    static final Effect CHANGE = new Effect(Kind.WRITE, When.ALWAYS, Part.WHOLE, false, null, false, null, null, false);
    static final Effect NONE = new Effect(Kind.NONE, When.ALWAYS, Part.WHOLE, false, null, false, null, null, false);
    /** The effect of a call for which it only matters whether it returned true. */
    static final Effect ANSWER = new Effect(Kind.READ, When.TRUE, Part.WHOLE, false, null, false, null, null, false);

    final Kind kind;
    final When when;
    final Part part;
    /** Whether the call can wait for other threads. */
    final boolean waits;
    /** Whether it accesses the state of a queue. */
    final boolean isOfQueue;
    final Family family;
    /** The results that mean that the number of keys has changed, too; null if none. */
    final When counts;
    /** Whether a write of a key removes it. */
    final boolean removes;
    /** Whether a write took place only because of what the call has found in the same variable. */
    final boolean isUpdate;
    /** What the call also does with an argument; null if nothing. */
    final ModelTable.Argument[] passed;
    /**
     * For a call that acts on an argument: the same effect, reduced to whether the call returned true, and whether the number of keys has changed.
     */
    final Effect answer;
    /** The arguments with which the call does nothing; null if there are none. */
    final Idle idle;
    /** Whether it moves the entry that it finds in a map in access order, if that was not used last. */
    final boolean moves;

    private Effect(Kind kind, When when, Part part, boolean waits, When counts, boolean removes, ModelTable.Argument[] passed, Idle idle, boolean moves) {
        this.kind = kind;
        this.when = when;
        this.part = part;
        this.waits = waits;
        this.counts = counts;
        this.removes = removes;
        this.passed = passed;
        this.idle = idle;
        this.moves = moves;
        isOfQueue = isOfQueue(kind, part);
        family = family(kind, part);
        boolean isOfOne = kind == Kind.ATOMIC_WRITE || kind == Kind.EXCLUDE || kind == Kind.WRITE && part == Part.KEY;
        boolean isBoolean = when == When.ALWAYS || when == When.TRUE || when == When.FALSE;
        answer = passed == null || !isBoolean ? this : ANSWER.counting(counts);
        isUpdate = isOfOne && (when == When.TRUE || when == When.NULL || when == When.NONZERO || loads());
    }

    private static boolean isOfQueue(Kind kind, Part part) {
        switch (kind) {
            case GIVE: case TAKE: case TAKE_ARGUMENT: case SEE: return true;
            default: return part == Part.ADDED || part == Part.TAKEN || part == Part.QUEUE;
        }
    }

    private static Family family(Kind kind, Part part) {
        switch (kind) {
            case READ: case WRITE: case UPDATE: case NONE:
                return isOfQueue(kind, part) ? Family.QUEUE : part == Part.KEYS || part == Part.RESULT ? Family.ITERATION : Family.ACCESS;
            case ATOMIC_READ: case ATOMIC_WRITE: return Family.ATOMIC;
            case VIEW: return Family.VIEW;
            case ITERATE: case STEP: case OVER: case SPLIT: case UNKNOWN: return Family.ITERATION;
            case GIVE: case TAKE: case EXCHANGE: case TAKE_ARGUMENT: case SEE: return Family.QUEUE;
            default: return Family.LOCK;
        }
    }

    /** Returns the effect of a call that has also changed the number of keys if it returned that. */
    Effect counting(When counts) {
        return new Effect(kind, when, part, waits, counts, removes, passed, idle, moves);
    }

    /** Returns the effect of a call that removes what it writes. */
    Effect removing() {
        return new Effect(kind, when, part, waits, counts, true, passed, idle, moves);
    }

    /** Returns the effect of a call that also acts on an argument. */
    Effect passing(ModelTable.Argument[] passed) {
        boolean isAccess = kind == Kind.READ || kind == Kind.WRITE || kind == Kind.UPDATE;
        return isAccess && passed != null ? new Effect(kind, when, part, waits, counts, removes, passed, idle, moves) : this;
    }

    /** Returns the effect of a call that does nothing with some arguments. */
    Effect idling(Idle idle) {
        return idle == null ? this : new Effect(kind, when, part, waits, counts, removes, passed, idle, moves);
    }

    /** Returns the effect of a call that moves what it finds. */
    Effect moving() {
        return new Effect(kind, when, part, waits, counts, removes, passed, idle, true);
    }

    /** Whether such a call changes nothing, or is one of a lock, of which the program's code tells. */
    boolean isReading() {
        switch (kind) {
            case READ: case ATOMIC_READ: case VIEW: case ITERATE: case STEP: case OVER: case SEE: case NONE: return !waits;
            default: return family == Family.LOCK;
        }
    }

    /** Whether such a call of a concurrent map can change unknown keys, from its start on. */
    boolean canChangeOthers() {
        return part != Part.KEY && (!isReading() || part == Part.RESULT || part == Part.KEYS);
    }

    /** Whether the effect depends on what a library's cache has loaded during the call. */
    boolean loads() {
        return when == When.LOADED || when == When.REFRESHED;
    }

    /** Whether the receiver is an iterator or the like. */
    boolean isStep() {
        return kind == Kind.STEP || kind == Kind.OVER || kind == Kind.SPLIT;
    }

    /** Whether such a call of a queue can change it. */
    boolean changesQueue() {
        return part != Part.QUEUE && kind != Kind.SEE;
    }

    /** Returns what such a call of a queue changes, if it does. */
    ThreadParts changed(ModelledObject queue) {
        return kind == Kind.GIVE || part == Part.ADDED ? queue.added() : queue.taken();
    }

    boolean gives() {
        return kind == Kind.GIVE || kind == Kind.EXCHANGE;
    }

    /** Returns the effect that a word of the table names. {@code jni-bridge/src/models.rs} has checked the words. */
    static Effect of(String word) {
        Part part = Part.WHOLE;
        for (Part p : PARTS) {
            part = word.startsWith(p.prefix) ? p : part;
        }
        boolean waits = word.startsWith("await-");
        String rest = word.substring(waits ? 6 : part.prefix.length());
        When when = When.ALWAYS;
        int at = rest.indexOf("-if-");
        if (at >= 0) {
            when = When.of(rest.substring(at + 4));
            rest = rest.substring(0, at);
        }
        Kind kind = Kind.valueOf(rest.replace('-', '_').toUpperCase(java.util.Locale.ROOT));
        return kind == Kind.NONE ? NONE : new Effect(kind, when, part, waits, null, false, null, null, false);
    }

    /** Returns the condition that a word of the table names; null if the word is the name of an effect. */
    static When counting(String word) {
        return word.startsWith("counts-if-") ? When.of(word.substring(10)) : null;
    }

    boolean isCounted(Object result) {
        return counts == (result == null ? When.NULL : When.NONNULL);
    }

    boolean isCounted(boolean result) {
        return result && counts == When.TRUE;
    }

    /** An overload that returns no boolean, such as the removal of a list's element by its index, cannot fail. */
    boolean isSo(Object result, ThreadState t) {
        return when == When.EMPTY ? isEmpty(result, t) : !loads() && when != When.NULL && when != When.NONNULL || when == (result == null ? When.NULL : When.NONNULL);
    }

    private static boolean isEmpty(Object result, ThreadState t) {
        try (Inside inside = t.inside()) {
            return result instanceof Optional ? !((Optional<?>) result).isPresent() : result instanceof OptionalInt ? !((OptionalInt) result).isPresent()
                : result instanceof OptionalLong ? !((OptionalLong) result).isPresent()
                : result instanceof OptionalDouble && !((OptionalDouble) result).isPresent();
        }
    }

    boolean isSo(boolean result) {
        return when == When.ALWAYS || when == (result ? When.TRUE : When.FALSE);
    }

    boolean isSo(long result) {
        return when != When.NONZERO || result != 0;
    }
}
