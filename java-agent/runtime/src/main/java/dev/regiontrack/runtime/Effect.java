package dev.regiontrack.runtime;

/** What a call of the platform's library does, by the table of models. */
final class Effect {
    /** The kinds. */
    enum Kind {
        /** Reads or writes the receiver's variable, at some time between the start of the call and its end. */
        READ, WRITE,
        /** The same, in one step, which calls no other code. */
        ATOMIC_READ, ATOMIC_WRITE,
        /** The result is a view: its variable is the receiver's. */
        VIEW,
        /** Takes or gives back the receiver's lock. */
        ACQUIRE, RELEASE,
        /** The same with a lock that its holders share, unless they have it alone. */
        SHARE, UNSHARE, EXCLUDE, INCLUDE,
        /** Gives the lock of a condition back and takes it again. */
        AWAIT,
        /** Hands the first argument over, or takes the result. An exchange does both. */
        GIVE, TAKE, EXCHANGE,
        /** No effect: the table says so, or the method is the program's own. */
        NONE
    }

    /** Which results of a conditional call mean that it had the effect. A write that did not take place was a read. */
    enum When {
        ALWAYS, NULL, NONNULL, TRUE
    }

    static final Effect NONE = new Effect(Kind.NONE, When.ALWAYS, false, false);

    final Kind kind;
    final When when;
    /** The variable is that of the receiver and the first argument. */
    final boolean isByKey;
    /** The call can wait for other threads. */
    final boolean waits;

    Effect(Kind kind, When when, boolean isByKey, boolean waits) {
        this.kind = kind;
        this.when = when;
        this.isByKey = isByKey;
        this.waits = waits;
    }

    boolean gives() {
        return kind == Kind.GIVE || kind == Kind.EXCHANGE;
    }

    /** The effect that a word of the table names. {@code jni-bridge/src/models.rs} has checked the words. */
    static Effect of(String word) {
        boolean isByKey = word.startsWith("key-");
        boolean waits = word.startsWith("await-");
        String rest = isByKey ? word.substring(4) : waits ? word.substring(6) : word;
        When when = When.ALWAYS;
        int at = rest.indexOf("-if-");
        if (at >= 0) {
            when = When.valueOf(rest.substring(at + 4).toUpperCase(java.util.Locale.ROOT));
            rest = rest.substring(0, at);
        }
        return new Effect(Kind.valueOf(rest.replace('-', '_').toUpperCase(java.util.Locale.ROOT)), when, isByKey, waits);
    }

    /** An overload that returns no boolean, such as the removal of a list's element by its index, cannot fail. */
    boolean isSo(Object result) {
        return when == When.ALWAYS || when == When.TRUE || when == (result == null ? When.NULL : When.NONNULL);
    }

    boolean isSo(boolean result) {
        return when == When.ALWAYS || when == When.TRUE && result;
    }
}
