package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.threads.ThreadState;
import java.util.List;
import java.util.Queue;
import jdk.internal.vm.annotation.DontInline;

/**
 * A call that acts on its receiver and on a collection or map that it is given ({@code addAll}), as one event. The site of its effect on the argument
 * is the one after the receiver's two.
 *
 * <p>The effect on the argument can depend on the result: {@code containsAll} that returned true has come to the end of the argument. It can also
 * depend on whether the receiver had elements: {@code list.retainAll(others)} asks the others nothing if the list is empty. That is certain if the
 * call returned true, or if the receiver has elements both before and after the call ({@link Idle}).
 */
final class Passing extends PendingOperation {
    /** The effect on the receiver; null if it is unknown. */
    private final PendingOperation receiver;
    /** The effect on the argument if the call returned what {@code when} says, and otherwise; null if it is unknown. */
    private final PendingOperation argument;
    private final PendingOperation otherwise;
    private final Effect.When when;
    private final Effect.When otherwiseWhen;
    /** Whether a write of the argument certainly changes it. */
    private final boolean changes;
    /** The receiver, if it matters whether it has elements, and it can be asked. */
    private final Object asked;
    private final boolean wasFilled;

    private Passing(Effect effect, PendingOperation receiver, Object of, Object argument, ModelTable.Argument[] does, PendingOperation first, PendingOperation second,
        ThreadState t) {
        super(effect, t);
        this.receiver = receiver;
        this.argument = first;
        otherwise = second;
        boolean isAnyLook = does.length > 1 && isOfOne(first);
        when = isAnyLook ? Effect.When.ALWAYS : does[0].when;
        otherwiseWhen = does[does.length - 1].when;
        changes = argument instanceof List || argument instanceof Queue;
        asked = when == Effect.When.FILLED && ClassModel.of(of.getClass()).isQuietCollection ? of : null;
        wasFilled = Idle.isFilled(asked, t);
    }

    /** Whether it reads a collection that is one variable: then it does not matter how far the call has come. */
    private static boolean isOfOne(PendingOperation o) {
        return o != null && o.effect.kind == Effect.Kind.READ && o.effect.part == Effect.Part.WHOLE;
    }

    /**
     * Makes the operation of a call on an object with this argument; null if nothing would be recorded. {@code receiver} is the effect on the object,
     * which can be null. If one of the two would be recorded, the other is part of that event, redundant or not.
     */
    @DontInline
    static PendingOperation of(Effect effect, PendingOperation receiver, Object o, Object argument, int method, ThreadState t, int site) {
        Object of = o;
        ModelTable.Argument[] does = effect.passed;
        while (of != null && does == ModelTable.INSIDE) {
            of = ClassModel.of(of.getClass()).inside(of);
            does = of == null ? null : ClassModel.of(of.getClass()).of(method).passed;
        }
        // What a call does with its receiver is known anyway.
        boolean isKnown = does != null && argument != null && argument != o && argument != of && !Idle.areApart(of, argument);
        PendingOperation first = isKnown ? OperationHooks.passed(argument, t, site, does[0].method) : null;
        PendingOperation second = isKnown && does.length > 1 && !isOfOne(first) ? OperationHooks.passed(argument, t, site, does[1].method) : null;
        if (isRedundant(receiver, t) && isRedundant(first, t) && isRedundant(second, t)) {
            return null;
        }
        if (first == null && second == null) {
            return receiver;
        }
        // The receiver's operation knows which results it needs, if it does not need all.
        Effect needed = effect.answer != effect || receiver == null ? effect.answer : receiver.effect;
        return new Passing(needed, receiver, of, argument, does, first, second, t);
    }

    private static boolean isRedundant(PendingOperation o, ThreadState t) {
        PendingOperation own = o instanceof Looking ? ((Looking) o).operation() : o;
        return own == null || own instanceof Access && ((Access) own).isCovered(t);
    }

    @Override
    void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
        boolean isReceivers = receiver == null || effect != receiver.effect;
        boolean isOfReceiver = receiver != null && isReceivers ? receiver.effect.isSo(isSo) : isSo;
        PendingOperation of = is(when, isSo, t) && argument != null ? argument : otherwise != null && is(otherwiseWhen, isSo, t) ? otherwise : null;
        // The elements that a queue hands over come before the call as a whole.
        boolean drains = receiver != null && receiver.effect.part == Effect.Part.TAKEN;
        boolean followsMore = of != null && (drains ? receiver : of).followsMore(t);
        t.call.beginOfTwo(t);
        try {
            if (receiver != null) {
                // First, because it can write what the argument reads: list.addAll(list).
                receiver.end(isOfReceiver, isCounted, result, t, site);
            }
            if (of != null) {
                if (!followsMore) {
                    of.follows(t);
                }
                of.end(of.effect.when == Effect.When.ALWAYS || of.effect.when == Effect.When.TRUE && of.effect.kind == Effect.Kind.WRITE && changes, false, null, t, site + 2);
            }
        } finally {
            t.call.endOfTwo();
        }
        t.call.merge(t);
        t.call.end(t);
    }

    private boolean is(Effect.When when, boolean isSo, ThreadState t) {
        return is(when, isSo) || when == Effect.When.FILLED && wasFilled && Idle.isFilled(asked, t);
    }

    /** Whether this result of a call, for any receiver, means that the effect took place that depends on it. */
    static boolean is(Effect.When when, boolean isSo) {
        return when == Effect.When.ALWAYS || isSo == (when != Effect.When.FALSE);
    }
}
