package dev.regiontrack.runtime.bridge;

/**
 * All native methods of the Rust bridge, with the contracts of {@link Bridge} and {@link Transport}.
 *
 * <p>The class is on the boot class path, and loads the library itself, so that the natives bind here. No native calls
 * back into Java except to throw {@link IllegalArgumentException} where documented, and for private methods of the JDK at the start.
 */
public final class NativeBridge implements Bridge {
    /** {@link #describe}: {@code number} is a site, the text its {@link SiteText}. */
    public static final int SITE = 1;
    /** {@link #describe}: {@code number} is a type, the text its class's name ({@code com.example.A}, {@code int[]}). */
    public static final int TYPE = 2;
    /** {@link #describe}: a class was instrumented; the text is its name, {@code number} the number of its sites. */
    public static final int INSTRUMENTED = 3;
    /** {@link #describe}: a class was left alone on purpose; the text is its name. */
    public static final int SKIPPED = 4;
    /** {@link #describe}: a class or method could not be instrumented: {@code name: why}. The run is incomplete. */
    public static final int FAILED = 5;
    /** {@link #describe}: something was not observed; the text says what. The run is incomplete. */
    public static final int LOST = 6;
    /** {@link #describe}: something that is tolerated and counted; the text says what (an unobserved release of a monitor). */
    public static final int TOLERATED = 7;

    /** {@link #describe}: the text is a thread's name, {@code number} the number that its FORK gives for the name; used once, before the FORK. */
    public static final int THREAD = 8;
    /** {@link #describe}: the text is the packages of the application, separated by {@code :}; described at the start, if they are known. */
    public static final int APPLICATION = 9;
    /** {@link #describe}, in dependency mode: {@code number} is a block, the text the number of its method's site. Blocks are dense, from 0. */
    public static final int BLOCK = 10;
    /** {@link #describe}, in dependency mode: the stack of the thread with this number, after an item that violated a block; a frame a line, innermost first. */
    public static final int STACK = 11;
    /**
     * {@link #describe}: the numbers of a variable and of the library object that it is a part of, and what the part is called ({@code key "k"}),
     * with tabs between.
     */
    public static final int PART = 12;
    /**
     * {@link #describe}, after {@link #SITE}, before a record of it: the call at the site {@code number} is a call of a method of this class of the
     * platform, though the instruction names another class.
     */
    public static final int OWNER = 13;
    /** {@link #describe}, after {@link #SITE}: the field that is accessed at the site {@code number} is declared in this class, which the instruction does not name. */
    public static final int DECLARED = 14;
    /**
     * {@link #describe}: a class that is watched whole: its name, checksum in hexadecimal, superclass, and how much there is to watch, with tabs
     * between.
     */
    public static final int WHOLE = 15;
    /** {@link #describe}: like {@link #WHOLE}, for a class of which a profile leaves out a part; the last item is how much is watched. */
    public static final int KEPT = 16;
    /** {@link #describe}: methods from which a site that a profile has kept was reached, a line each: {@code com.example.A.f(I)V}. */
    public static final int CALLERS = 17;

    /**
     * {@link #describe}, after {@link #SITE}, before a record of it: the call of a handle at the site {@code number} and the following one accesses
     * this field, {@code com.example.A.count}, with {@code number } before it if it is a number. If a handle can also access another field there,
     * there is no name.
     */
    public static final int TARGET = 18;
    /**
     * {@link #describe}: a class that the user's table of models names was loaded; or, after a space, a method that it has, {@code name/parameters}.
     */
    public static final int MODELLED = 19;

    /**
     * {@link #describe}: the agent was attached to a running program, of which {@code number} classes were loaded before and have no hooks. The text
     * has the number of those that got hooks, and a line for each package of the others: name, tab, number of classes.
     */
    public static final int ATTACHED = 20;

    /**
     * {@link #describe}, in a steered run: the thread with this number was held. The text, with tabs between: the candidate of the plan, the time in
     * microseconds, 1 if another thread has come, and the position of the thread's last event; no position if it was the other thread.
     */
    public static final int HELD = 21;
    /** {@link #describe}: an instruction is this place of the plan. */
    public static final int FOUND = 22;
    /**
     * {@link #describe}, in a run whose threads have priorities: the number of steps that the threads have made so far, and the microseconds for
     * which the thread with this number was delayed before the last one, 0 if it was not, with a tab between.
     */
    public static final int STEPS = 23;
    /**
     * {@link #describe}, in a steered or replayed run: the progress of a schedule. The text: {@code met}, {@code reached} or {@code gave-up}, and
     * details from {@code runtime/steering} and {@code runtime/replay}, with tabs between.
     */
    public static final int SCHEDULE = 24;

    /**
     * {@link #describe}, in dependency mode, after an item that violated a block: accesses of the thread with this number in the critical section
     * that the item has entered, which follow accesses of other threads by implied dependencies; a line each. With tabs between: code, site, slot,
     * object; the stamp and the site of the other access; those of the thread's own earlier access that the other thread's has replaced, or 0.
     */
    public static final int DATA = 25;
    /** {@link #describe}: the test with this name is to be repeated next. */
    public static final int TEST = 26;
    /**
     * {@link #describe}: the test of the scope {@code number}, which has ended, expects some of the findings that {@link #told} has returned. The
     * text: their numbers, separated by spaces, and on the next line the test's name.
     */
    public static final int EXPECTED = 27;

    NativeBridge() {
    }

    /** Loads the library, which binds the natives. Throws {@link UnsatisfiedLinkError} like {@code System.load}. */
    static NativeBridge load(String file) {
        System.load(file);
        NativeBridge bridge = new NativeBridge();
        // The JVM links a native method when it is first called, by code of the platform. Hooks call this one where they must call nothing else.
        bridge.pause(false);
        return bridge;
    }

    @Override
    public native String start(int layout, String options);

    @Override
    public native String select(String classText);

    @Override
    public native boolean includes(String internalName);

    @Override
    public native boolean names(String internalName);

    @Override
    public native void finish();

    @Override
    public native long unwatched(int stripes, int blocks);

    @Override
    public native int burst(boolean isBurst);

    @Override
    public native String facts();

    @Override
    public native String[] models();

    /**
     * Called before {@link #start}: exports packages, with {@code :} between them, of a module to another one, in the JVM; reflection does not learn
     * of it. Returns false if that is not possible.
     */
    public native boolean export(Module from, String packages, Module to);

    /** Returns the value of a flag of the JVM; null if it has no such flag. The library of the platform's management must be loaded. */
    public native String flag(String name);

    /** Executes a diagnostic command, as {@code jcmd} does. Returns false if that is not possible. The same library must be loaded. */
    public native boolean command(String text);

    @Override
    public native int judge(String name, long checksum);

    @Override
    public native long table(int which, long bytes);

    @Override
    public native String plan();

    @Override
    public native String repeat(int step, int scope);

    @Override
    public native int scope(int parent);

    @Override
    public native String told(int scope);

    @Override
    public native long open(int thread, long position, String name);

    @Override
    public native long full(long ring, int records);

    @Override
    public native boolean item(long buffer, int records, long position);

    @Override
    public native long counters(long buffer, int n);

    @Override
    public native void pause(boolean gives);

    @Override
    public native void close(long ring);

    @Override
    public native void describe(int what, int number, String text);
}
