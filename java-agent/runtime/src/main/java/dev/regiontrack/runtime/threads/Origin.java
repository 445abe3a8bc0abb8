package dev.regiontrack.runtime.threads;

import dev.regiontrack.runtime.bridge.SiteText;
import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.sites.CallIndices;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * How a thread was started, to recognise it in another run of the program, where thread names and numbers may differ: {@code main}, followed by the
 * place where each thread on the way has started the next one, and a count: the next one was the how-many-th started there.
 * {@code main com.acme.Server.run:30 2}, or, in a method without lines, {@code main com.acme.Server.run():@7 2}. A thread that runs a repeated test
 * is {@code test}, or {@code first} in the repetitions in which no thread is held. A thread whose start was not seen has its name:
 * {@code ?Reference Handler}. Kept only in a steered run.
 */
public final class Origin {
    /** The thread in which the JVM runs the program. */
    private static final String MAIN = "main";
    private static final String TEST = "test";
    private static final String FIRST = "first";
    /** A longer text is replaced by a hash: if each thread starts the next one, the texts would take space quadratic in the number of threads. */
    private static final int LONGEST = 600;
    private static final String NOBODY = "-";
    private static final int HEX = 16;

    private static volatile boolean isOn;

    /** The text in a schedule. */
    public final String text;
    /** The number of threads started so far, by place. Used by its own thread alone. */
    private final Map<String, Integer> started = new HashMap<>();

    private Origin(String text) {
        this.text = text;
    }

    /** Gives threads that are started from now on an origin. Must be called before the runtime is armed. */
    public static void turnOn() {
        isOn = true;
    }

    /** Whether threads have origins. */
    public static boolean isOn() {
        return isOn;
    }

    /** Loads the required classes, so that nothing is loaded where a thread is started. */
    static void load() {
        if (isOn) {
            Memory.load(FirstOfProgram.class);
            Memory.load(CallIndices.class);
            escaped("a b");
        }
    }

    /** Returns the origin of a thread, in any of its states. */
    public static Origin of(ThreadState t) {
        Origin known = t.holder.origin;
        return known != null ? known : ofUnknown(t.holder);
    }

    /**
     * The running thread, which has this state, begins a repetition of a test: what it starts is counted anew, independently of what ran before.
     * {@code isHeld} if threads are to be held in it. Returns the former origin for {@link #end}; null without origins.
     */
    public static Origin begin(ThreadState t, boolean isHeld) {
        if (!isOn) {
            return null;
        }
        Origin former = of(t);
        t.holder.origin = new Origin(isHeld ? TEST : FIRST);
        return former;
    }

    /** The repetition is over: restores the running thread's origin. */
    public static void end(ThreadState t, Origin former) {
        t.holder.origin = former;
    }

    /** Synchronized, because the thread of the returned origin counts with it. */
    private static synchronized Origin ofUnknown(ThreadState root) {
        try (Inside inside = Threads.current().inside()) {
            if (root.origin == null) {
                Thread thread = root.thread;
                String name = thread == null ? NOBODY : thread.getName();
                root.origin = new Origin(name.equals(MAIN) ? MAIN : "?" + escaped(name));
            }
            return root.origin;
        }
    }

    /** Returns the origin of a thread that the running one is about to start; null without origins. */
    static Origin startedBy(ThreadState t) {
        if (!isOn) {
            return null;
        }
        Origin parent = of(t);
        String at = FirstOfProgram.onStack();
        Integer before = parent.started.get(at);
        int nth = before == null ? 1 : before + 1;
        parent.started.put(at, nth);
        String text = parent.text + ' ' + at + ' ' + nth;
        return new Origin(text.length() <= LONGEST ? text : "~" + sum(text));
    }

    /** FNV-1a. */
    private static String sum(String text) {
        long sum = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            sum = (sum ^ text.charAt(i)) * 0x100000001b3L;
        }
        return Long.toString(sum & Long.MAX_VALUE, HEX);
    }

    /** Escapes a name as files of candidates and schedules have it: without white space. */
    static String escaped(String name) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '\\' || Character.isWhitespace(c) || Character.isSpaceChar(c) || Character.isISOControl(c)) {
                String digits = Integer.toString(c, HEX);
                text.append("\\u").append("0000", digits.length(), 4).append(digits);
            } else {
                text.append(c);
            }
        }
        return text.length() == 0 ? NOBODY : text.toString();
    }

    /** Finds the innermost method on the stack that is not of the platform, with its line or the index of the call. */
    private static final class FirstOfProgram implements Consumer<StackWalker.StackFrame> {
        /** Made at the start, before a security manager of the program can be asked. */
        private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
        private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

        private String found;

        static String onStack() {
            FirstOfProgram look = new FirstOfProgram();
            WALKER.forEach(look);
            return look.found == null ? NOBODY : look.found;
        }

        @Override
        public void accept(StackWalker.StackFrame frame) {
            if (found == null) {
                ClassLoader loader = frame.getDeclaringClass().getClassLoader();
                if (loader != null && loader != PLATFORM) {
                    found = escaped(frame.getClassName() + '.' + frame.getMethodName() + position(frame));
                }
            }
        }

        /** Returns an empty text if neither the line nor the index is known. */
        private static String position(StackWalker.StackFrame frame) {
            if (frame.getLineNumber() > 0) {
                return ":" + frame.getLineNumber();
            }
            String desc = frame.getDescriptor();
            int index = frame.getByteCodeIndex() < 0 ? -1 : CallIndices.of(frame.getDeclaringClass(), frame.getMethodName() + desc, frame.getByteCodeIndex());
            return index < 0 ? "" : '(' + SiteText.parameters(desc) + "):" + SiteText.position(SiteText.atIndex(index));
        }
    }
}
