package dev.regiontrack.plugins;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The result of all reports of a build: whether a finding counts, and a line for each finding. */
public final class Judgement {
    private static final int VIOLATED = 1;
    /** This exit code wins over that of a violation. */
    static final int INCOMPLETE = 2;
    /** In JUnit's XML, a finding that counts is a failed test, and one that does not is skipped. */
    private static final Pattern FAILED = Pattern.compile("<testsuite [^>]*\\bfailures=\"[1-9]");

    private final boolean isViolation;
    private final boolean isIncomplete;
    private final List<String> lines = new ArrayList<>();

    /**
     * A judgement from the exit code of {@code merge} and the text that it prints, whose head has a line for each finding. If the code says that the
     * answer is incomplete, {@code results} is the same as JUnit's XML.
     */
    Judgement(int code, String text, String results) {
        isIncomplete = code == INCOMPLETE;
        isViolation = code == VIOLATED || isIncomplete && FAILED.matcher(results).find();
        for (String line : text.split("\r?\n")) {
            // Here the details of the first finding begin.
            if (line.startsWith("1. ")) {
                break;
            }
            // Hints are about the next run, and what each of many JVMs reports is more than a console needs: both are in the report.
            if (!line.isBlank() && !line.startsWith("  hint: ") && !line.startsWith("    ")) {
                lines.add(line);
            }
        }
    }

    /** Whether there is a finding that is neither suppressed nor known, in an incomplete answer too. */
    public boolean isViolation() {
        return isViolation;
    }

    /** Whether a JVM was killed or lost events, so that findings may be missing. */
    public boolean isIncomplete() {
        return isIncomplete;
    }

    /** The verdict, the counts, and a line for each finding. */
    public List<String> lines() {
        return lines;
    }
}
