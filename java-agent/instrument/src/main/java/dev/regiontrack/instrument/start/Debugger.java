package dev.regiontrack.instrument.start;

/** Whether the JVM was started for a debugger: then threads stand still for longer than a program lets them. */
final class Debugger {
    /** How long a thread is held for another one that a person may have stopped: a day, in milliseconds. */
    static final long PATIENCE = 24L * 60 * 60 * 1000;

    private Debugger() {
    }

    /** True if one of these arguments of the JVM lets a debugger in. */
    static boolean isIn(String[] arguments) {
        for (String argument : arguments) {
            if (argument.startsWith("-agentlib:jdwp") || argument.startsWith("-Xrunjdwp")) {
                return true;
            }
        }
        return false;
    }
}
