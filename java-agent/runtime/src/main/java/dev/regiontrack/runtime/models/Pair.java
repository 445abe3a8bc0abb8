package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.threads.ThreadState;
import java.util.Set;

/**
 * A static method that acts on two collections, {@code Collections.disjoint} or {@code copy}, as one event. The site of its effect on the second is
 * that of the first plus two.
 *
 * <p>The effect can depend on the result. {@code copy} writes if there is something to copy: that is certain if the source can be asked, and has
 * elements before and after the call ({@link Idle}).
 */
final class Pair extends PendingOperation {
    private static final int SIZE = ModelTable.method("size()V");
    private static final int ALL = ModelTable.method("forEach(Ljava/lang/Object;)V");
    private static final int SOME = ModelTable.method("isEmpty()V");
    private static final int CONTAINS = ModelTable.method("contains(Ljava/lang/Object;)V");
    private static final int SET = ModelTable.method("set(Ljava/lang/Object;Ljava/lang/Object;)V");

    /** The effect on the first collection if the call returned true, and otherwise; null if it is unknown. */
    private final PendingOperation first;
    private final PendingOperation firstOtherwise;
    private final PendingOperation second;
    private final PendingOperation secondOtherwise;
    /** For a copy: what must have elements if something is written. Otherwise null. */
    private final Object elements;
    private final boolean isCopy;
    private final boolean wasFilled;

    private Pair(PendingOperation[] first, PendingOperation[] second, boolean isCopy, Object elements, ThreadState t, int site) {
        super(Effect.ANSWER, t);
        this.first = first[0];
        firstOtherwise = first[1];
        this.second = second[0];
        secondOtherwise = second[1];
        this.isCopy = isCopy;
        this.elements = elements;
        this.site = site;
        wasFilled = Idle.isFilled(elements, t);
    }

    /**
     * Asks two collections for their sizes if none is a set. Otherwise it goes over one that is no set, or over the second of two sets, and asks the
     * other for each element, up to one that is there. If it returned false, it has found such an element.
     */
    static PendingOperation disjoint(Object one, Object other, ThreadState t, int site) {
        if (one == other) {
            return OperationHooks.passed(one, t, site, SIZE);
        }
        if (!(one instanceof Set) && !(other instanceof Set)) {
            PendingOperation[] first = same(SIZE, one, t, site);
            PendingOperation[] second = same(SIZE, other, t, site + 2);
            return of(first, second, false, null, t, site);
        }
        boolean isFirstAsked = one instanceof Set;
        PendingOperation[] asked = {null, OperationHooks.passed(isFirstAsked ? one : other, t, site, CONTAINS)};
        Object gone = isFirstAsked ? other : one;
        PendingOperation[] over = {OperationHooks.passed(gone, t, site, ALL), OperationHooks.passed(gone, t, site, SOME)};
        return isFirstAsked ? of(asked, over, false, null, t, site) : of(over, asked, false, null, t, site);
    }

    /** Asks both lists for their sizes, and then copies the elements. */
    static PendingOperation copy(Object to, Object from, ThreadState t, int site) {
        if (to == from) {
            return OperationHooks.passed(to, t, site, SIZE);
        }
        Object elements = from;
        for (Object next = from; next != null; next = ClassModel.of(next.getClass()).inside(next)) {
            elements = next;
        }
        ClassModel model = ClassModel.of(elements.getClass());
        PendingOperation[] first = {OperationHooks.passed(to, t, site, SET), OperationHooks.passed(to, t, site, SIZE)};
        return of(first, same(SIZE, from, t, site + 2), true, model.isFixed || model.isQuietCollection ? elements : null, t, site);
    }

    private static PendingOperation[] same(int method, Object o, ThreadState t, int site) {
        PendingOperation operation = OperationHooks.passed(o, t, site, method);
        return new PendingOperation[] {operation, operation};
    }

    private static PendingOperation of(PendingOperation[] first, PendingOperation[] second, boolean isCopy, Object elements, ThreadState t, int site) {
        boolean isNothing = first[0] == null && first[1] == null && second[0] == null && second[1] == null;
        return isNothing ? null : new Pair(first, second, isCopy, elements, t, site);
    }

    @Override
    void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
        boolean is = isCopy ? wasFilled && Idle.isFilled(elements, t) : isSo;
        PendingOperation one = is ? first : firstOtherwise;
        PendingOperation other = is ? second : secondOtherwise;
        boolean followsMore = other != null && other.followsMore(t);
        t.call.beginOfTwo(t);
        try {
            end(one, t, site);
            if (other != null && !followsMore) {
                other.follows(t);
            }
            end(other, t, site + 2);
        } finally {
            t.call.endOfTwo();
        }
        t.call.merge(t);
        t.call.end(t);
    }

    private static void end(PendingOperation o, ThreadState t, int site) {
        if (o != null) {
            o.end(o.effect.when == Effect.When.ALWAYS, false, null, t, site);
        }
    }
}
