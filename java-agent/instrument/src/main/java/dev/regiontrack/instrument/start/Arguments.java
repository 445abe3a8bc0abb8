package dev.regiontrack.instrument.start;

import dev.regiontrack.runtime.memory.Memory;

/** The arguments that the JVM was started with, from all sources: command line, files, environment. */
final class Arguments {
    private static final String STACK = "-Xss";
    private static final String STACK_FLAG = "-XX:ThreadStackSize=";
    /** The factor of stack for threads: calls with hooks need up to four times as much if C1 has compiled them. */
    private static final int MULTIPLE = 8;

    private Arguments() {
    }

    /** Returns this JVM's arguments; the internal class that has them must be exported to the runtime. */
    static String[] ofThisJvm() {
        String[] all = Memory.argumentsOfThisJvm();
        // Without arguments there is no array.
        return all == null ? new String[0] : all;
    }

    /** Returns the bytes of stack for threads that request no size: a multiple of what the JVM would give them, by its arguments or by default. */
    static long stackSize(String[] arguments, String arch) {
        long size = 0;
        for (String argument : arguments) {
            if (argument.startsWith(STACK)) {
                size = bytes(argument.substring(STACK.length()), 1);
            } else if (argument.startsWith(STACK_FLAG)) {
                size = bytes(argument.substring(STACK_FLAG.length()), 1024);
            }
        }
        return MULTIPLE * (size > 0 ? size : arch.equals("aarch64") ? 2 << 20 : 1 << 20);
    }

    /** Parses a size as the JVM does, in units of this many bytes; 0 if it is not a size. */
    private static long bytes(String text, int unit) {
        int shift = text.isEmpty() ? -1 : "kmg".indexOf(Character.toLowerCase(text.charAt(text.length() - 1)));
        try {
            return shift < 0 ? Long.parseLong(text) * unit : Long.parseLong(text.substring(0, text.length() - 1)) * unit << 10 * (shift + 1);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
