package dev.regiontrack.instrument.start;

/** Whether the JVM was started for a debugger, under which threads stand still for longer than in a normal run. */
final class Debugger {
    /** How long a thread is held for another one that a person may have stopped: a day, in milliseconds. */
    static final long PATIENCE = 24L * 60 * 60 * 1000;

    private Debugger() {
    }

    /** Whether one of these arguments of the JVM enables a debugger. */
    static boolean isIn(String[] arguments) {
        for (String argument : arguments) {
            if (argument.startsWith("-agentlib:jdwp") || argument.startsWith("-Xrunjdwp")) {
                return true;
            }
        }
        return false;
    }
}
