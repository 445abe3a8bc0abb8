package dev.regiontrack.runtime.bridge;

/** Decides what is instrumented, which methods are atomic, and where the records go. */
public interface Bridge extends Transport {
    /**
     * Called once, before any class is transformed: checks the layout version ({@link Ring#LAYOUT}) and the options,
     * starts the session. Returns the options in effect as {@code key=value}, one per line. Throws
     * IllegalArgumentException with one line if an option is unknown, a value invalid or a file missing; the program
     * then does not start.
     */
    public String start(int layout, String options);

    /**
     * Which methods of a class are atomic: one character per method, {@code '1'} or {@code '0'}, in the order of the
     * text. The text: a line {@code class<TAB>access<TAB>name<TAB>super<TAB>file<TAB>annotations}, then for each method
     * with code a line {@code method<TAB>access<TAB>name<TAB>descriptor<TAB>annotations<TAB>calls}; access in
     * hexadecimal, names in internal form, lists separated by spaces, a call as {@code owner.name(descriptor)}.
     */
    public String select(String classText);

    /** True if the classes of this name (internal form) are to be instrumented. Asked for classes and their superclasses. */
    public boolean includes(String internalName);

    /**
     * True if the user names the class (internal form), or the one that it is nested in, and not only its package: then it is instrumented even if it is
     * of the platform.
     */
    public boolean names(String internalName);

    /**
     * Where a part of the run is watched: address of {@code stripes * blocks} counters of calls that are not watched, of 8 bytes and 0. Threads are
     * divided among the stripes.
     */
    public long unwatched(int stripes, int blocks);

    /**
     * Waits until a burst is to begin or, if {@code isBurst}, until the one that has begun is to end. Returns how many of the 16 shares of the classes are
     * watched from now on, 0 if none is; negative if there will be no more bursts. First called when the program starts a thread.
     */
    public int burst(boolean isBurst);

    /**
     * Where a profile of earlier runs says what is watched: what that is in classes that are as they were, a fact a line: a kind, a space, and what has it.
     * {@code jni-bridge/src/profile} has the kinds.
     */
    String facts();

    /** How the class with this name (with dots) and this sum of its bytes is watched: 0 whole, 1 as the facts say, 2 whole as far as there is time. */
    int judge(String name, long checksum);

    /** Where the run learns for a profile: the address of a table of so many bytes, which are 0; the bridge reads it when the run ends. */
    long table(int which, long bytes);

    /** Where the run is steered or replayed: at which places threads are held, in the form of {@code runtime/steering/Plan}. */
    String plan();

    /**
     * What is said of a test that is repeated, or asked. 0: a test is to be repeated; the answer is why it cannot be, empty if it can. 1: what its next repetition is to do, which is
     * this scope: {@code learn}, {@code end}, or be steered by a plan. 2: that has ended. 3: the test has.
     */
    String repeat(int step, int scope);

    /** Begins a scope, a part of the run that asks which violations are its own; inside another one or, if that is 0, in none. Returns its number. */
    int scope(int parent);

    /**
     * A scope ends: what was found in it, after a wait for what was recorded before. The text: why there may be more, or nothing; and for each finding, behind
     * {@code \u001e}, separated by {@code \u001f}: method, kind, what the report says of it, the thread of the violated block and its stack (a frame a line), and
     * for each other thread its name and where it was.
     */
    String told(int scope);

    /** The end of the run, for JVMs without the VM-death event, which does the same. */
    public void finish();
}
