package dev.regiontrack.junit;

import java.util.List;

/** Methods were not atomic in a test: the message is what the report says of them, the cause where the threads were. */
public final class ViolationError extends AssertionError {
    private static final long serialVersionUID = 1;

    /** Of at least one finding. */
    ViolationError(List<Finding> findings) {
        super(message(findings), findings.get(0).where());
        findings.stream().skip(1).forEach(finding -> addSuppressed(finding.where()));
        // Where the extension was tells nobody anything.
        setStackTrace(findings.get(0).where().getStackTrace());
    }

    private static String message(List<Finding> findings) {
        StringBuilder text = new StringBuilder();
        for (Finding finding : findings) {
            text.append(text.length() == 0 ? "" : "\n\n").append(finding.text());
        }
        return text.toString();
    }
}
