package dev.regiontrack.attach;

/**
 * Attaches the agent to another JVM, or lists the visible JVMs. `regiontrack attach` starts it:
 * {@code java -cp regiontrack.jar dev.regiontrack.attach.Attach PID JAR OPTIONS}, or without arguments. Prints one line on standard output, with exit
 * code 0; or on standard error a line that says why it failed, with exit code 2.
 */
public final class Attach {
    private static final int FAILED = 2;

    private Attach() {
    }

    public static void main(String[] args) {
        try {
            // A separate class, so that this one can be loaded where there is no attach API.
            System.out.println(args.length == 0 ? Machines.list() : Machines.attach(args[0], args[1], args.length > 2 ? args[2] : ""));
        } catch (Refused e) {
            fail(e.getMessage());
        } catch (NoClassDefFoundError e) {
            fail("the Java runtime " + System.getProperty("java.home") + " has no module jdk.attach; name the java of a JDK with --java");
        }
    }

    private static void fail(String why) {
        System.err.println("regiontrack: " + why.replace('\n', ' '));
        System.exit(FAILED);
    }

    /** The request was refused; the message is the line that says why, and what to do. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        Refused(String why) {
            super(why);
        }
    }
}
