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
     * Called once, after {@link #start}: returns the words of the tables of models of the platform, of libraries and of the user; a null after each
     * line, and another one after each table. {@code runtime/models/ModelTable} interprets them.
     */
    String[] models();

    /**
     * Returns which methods of a class are atomic: one character per method, {@code '1'} or {@code '0'}, in the order
     * of the text. The text: a line {@code class<TAB>access<TAB>name<TAB>super<TAB>file<TAB>annotations}, then for each
     * method with code a line {@code method<TAB>access<TAB>name<TAB>descriptor<TAB>annotations<TAB>calls}; access in
     * hexadecimal, names in internal form, lists separated by spaces, a call as {@code owner.name(descriptor)}.
     */
    public String select(String classText);

    /** Whether the classes of this name (internal form) are to be instrumented. Asked for classes and their superclasses. */
    public boolean includes(String internalName);

    /**
     * Whether the user names the class (internal form) or one that it is nested in, and not only its package: then it is instrumented even if it
     * belongs to the platform.
     */
    public boolean names(String internalName);

    /**
     * Where a part of the run is watched: returns the address of {@code stripes * blocks} counters of unwatched calls, 8 bytes each, initially 0.
     * Threads are divided among the stripes.
     */
    public long unwatched(int stripes, int blocks);

    /**
     * Waits until a burst is to begin or, if {@code isBurst}, until the current one is to end. Returns how many of the 16 shares of the classes are
     * watched from now on, 0 if none is; negative if there will be no more bursts. First called when the program starts a thread.
     */
    public int burst(boolean isBurst);

    /**
     * Where a profile of earlier runs says what is watched: returns what is watched in classes that have not changed, a fact a line: a kind, a space,
     * and what has it. {@code jni-bridge/src/profile} has the kinds.
     */
    String facts();

    /** Returns how the class with this name (with dots) and this checksum is watched: 0 whole, 1 as the facts say, 2 whole as far as time allows. */
    int judge(String name, long checksum);

    /** Where the run learns for a profile: returns the address of a zeroed table of {@code bytes} bytes, which the bridge reads when the run ends. */
    long table(int which, long bytes);

    /** Where the run is steered or replayed: returns the places at which threads are held, in the form of {@code runtime/steering/Plan}. */
    String plan();

    /**
     * A step of a test that is repeated. 0: a test is to be repeated; the answer is why it cannot be, empty if it can. 1: asks what the next
     * repetition, which is this scope, is to do: {@code learn}, {@code end}, or be steered by a plan. 2: the repetition has ended. 3: the test has
     * ended.
     */
    String repeat(int step, int scope);

    /**
     * Begins a scope, a part of the run that asks which violations are its own; inside {@code parent} or, if that is 0, in none. Returns its number.
     */
    int scope(int parent);

    /**
     * Ends a scope. Waits until what was recorded before is analysed, then returns a text: why there may be more findings, or nothing; and for each
     * finding, behind {@code \u001e}, separated by {@code \u001f}: its number, {@code counts} or, if it is suppressed or known, nothing; method, kind,
     * the report's text, the thread of the violated block and its stack (a frame a line), and for each other thread its name and where it was.
     */
    String told(int scope);

    /** Ends the run, for JVMs without the VM-death event, which does the same. */
    public void finish();
}
