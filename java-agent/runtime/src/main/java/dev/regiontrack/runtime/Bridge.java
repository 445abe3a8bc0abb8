package dev.regiontrack.runtime;

/** Who answers the agent: what is instrumented, which methods are atomic, and where the records go. */
public interface Bridge extends Transport {
    /**
     * Called once, before any class is transformed: checks the layout version ({@link Ring#LAYOUT}) and the options, starts the
     * session. Returns the options in effect, {@code key=value}, one a line. Throws IllegalArgumentException with one clear
     * line where an option is unknown, a value bad, a file missing; the program then does not start.
     */
    String start(int layout, String options);

    /**
     * Which methods of a class are atomic, one character a method, {@code '1'} or {@code '0'}, in their order in the text.
     * The text: a line {@code class<TAB>access<TAB>name<TAB>super<TAB>file<TAB>annotations}, then for each method with code a line
     * {@code method<TAB>access<TAB>name<TAB>descriptor<TAB>annotations<TAB>calls}; access in hexadecimal, names in internal form,
     * lists separated by spaces, a call as {@code owner.name(descriptor)}.
     */
    String select(String classText);

    /** True if the classes of this name (internal form) are to be instrumented. Asked for classes and their superclasses. */
    boolean includes(String internalName);

    /** The end, for a program that stops before the VM dies in the ordinary way; the native VM-death event does the same. */
    void finish();
}
