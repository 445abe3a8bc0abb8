package dev.regiontrack.runtime.steering;

import java.util.function.Consumer;

/** Looks at the current thread's stack: whether the thread is in a candidate's block, and whether it must not be held. */
public final class OnStack implements Consumer<StackWalker.StackFrame> {
    /** Made at the start, before a security manager of the program can be asked. */
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private final Candidate candidate;
    private boolean isInBlock;
    /** The descriptor of the block's method; another method of its name may have called it, a bridge for example. */
    private String blockDesc;
    /** Whether the block is running more than once. */
    private boolean isRecursive;
    /** Whether a method that holds the lock is still running, or a class is being initialised or loaded: others may wait for that. */
    private boolean isBarred;

    private OnStack(Candidate candidate) {
        this.candidate = candidate;
    }

    /** Returns a look at the current thread's stack. */
    static OnStack of(Candidate candidate) {
        OnStack look = new OnStack(candidate);
        WALKER.forEach(look);
        return look;
    }

    /** Whether the thread is in the block, and may be held there. */
    boolean mayBeHeld() {
        return isInBlock && !isBarred;
    }

    /** Whether the thread comes to its last place in a call of the block within another one, which has published nothing of that yet. */
    boolean isTooDeep() {
        return candidate.isHeldBefore && isRecursive;
    }

    /** Whether the thread is in the block. */
    static boolean isIn(Candidate candidate) {
        return of(candidate).isInBlock;
    }

    /** Whether the thread may be held at all. */
    public static boolean isFree() {
        return !of(null).isBarred;
    }

    @Override
    public void accept(StackWalker.StackFrame frame) {
        String method = frame.getMethodName();
        if (method.equals("<clinit>") || method.equals("loadClass") && ClassLoader.class.isAssignableFrom(frame.getDeclaringClass())) {
            isBarred = true;
        }
        if (candidate == null) {
            return;
        }
        if (method.equals(candidate.blockMethod) && frame.getClassName().equals(candidate.blockType)) {
            blockDesc = isInBlock ? blockDesc : frame.getDescriptor();
            isRecursive |= isInBlock && blockDesc.equals(frame.getDescriptor());
            isInBlock = true;
        } else if (!isInBlock && isHolding(frame)) {
            isBarred = true;
        }
    }

    /** Whether the frame is a synchronized method whose lock is to be free. A method of the same name may be another one that calls it. */
    private boolean isHolding(StackWalker.StackFrame frame) {
        Place hold = candidate.hold;
        return hold.method.equals(frame.getMethodName()) && hold.type.equals(frame.getClassName()) && hold.isOfCall(frame.getDescriptor());
    }
}
