package dev.regiontrack.junit;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Methods were not atomic in a test: the message is the report's text about them, and the cause shows where the threads were. */
public final class ViolationError extends AssertionError {
    private static final long serialVersionUID = 1;
    /** A frame that has called the program: of a test framework, of reflection, of a pool or a thread. */
    private static final Pattern CALLER = Pattern.compile("(org\\.junit|junit|jdk\\.internal|java\\.lang\\.(reflect|invoke)|java\\.util\\.concurrent|java\\.util\\.Timer|java\\.lang\\.(Thread|VirtualThread))\\b.*");

    /** An error for at least one finding. */
    ViolationError(List<Finding> findings) {
        this(findings, "");
    }

    /** The same; {@code run} says which of several runs it was. */
    ViolationError(List<Finding> findings, String run) {
        super(message(findings) + (run.isEmpty() ? "" : "\n\nin " + run), findings.get(0).where());
        findings.stream().skip(1).forEach(finding -> addSuppressed(finding.where()));
        setStackTrace(program(findings.get(0).where().getStackTrace()));
    }

    private static String message(List<Finding> findings) {
        StringBuilder text = new StringBuilder();
        for (Finding finding : findings) {
            text.append(text.length() == 0 ? "" : "\n\n").append(finding.text());
        }
        return text.toString();
    }

    /**
     * The program's part of the stack, which build tools and development environments show as the place; the cause has the whole stack. Empty if the
     * whole stack is the program's: of a cause, Java prints only the frames that its consequence does not have.
     */
    private static StackTraceElement[] program(StackTraceElement[] stack) {
        int end = 0;
        while (end < stack.length && !CALLER.matcher(stack[end].getClassName()).matches()) {
            end++;
        }
        return end == stack.length ? new StackTraceElement[0] : Arrays.copyOf(stack, end);
    }
}
