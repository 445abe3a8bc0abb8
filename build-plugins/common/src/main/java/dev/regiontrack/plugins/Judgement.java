package dev.regiontrack.plugins;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The result of all reports of a build: whether a finding counts, and a line for each finding. */
public final class Judgement {
    private static final int VIOLATED = 1;
    /** The exit code if something was lost, whatever was found, and if there was nothing to judge. */
    static final int NO_ANSWER = 2;
    /** In JUnit's XML, a finding that counts is a failed test, and one that does not is skipped. */
    private static final Pattern FAILED = Pattern.compile("<testsuite [^>]*\\bfailures=\"[1-9]");
    /** There, too, whatever was lost is an error. */
    private static final Pattern WHOLE = Pattern.compile("<testsuite [^>]*\\berrors=\"0\"");

    private final boolean isViolation;
    private final boolean isIncomplete;
    private final List<String> lines = new ArrayList<>();

    /**
     * A judgement from the exit code of {@code merge} and the text that it prints, whose head has a line for each finding. If the code says that
     * there is no answer, {@code results} is the same as JUnit's XML.
     */
    Judgement(int code, String text, String results) {
        isIncomplete = code == NO_ANSWER && !WHOLE.matcher(results).find();
        isViolation = code == VIOLATED || code == NO_ANSWER && FAILED.matcher(results).find();
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
        if (code == NO_ANSWER && !isIncomplete && !isViolation) {
            lines.add("  nothing was judged here, and nothing was lost: no atomic block has run");
        }
    }

    /** Whether there is a finding that is neither suppressed nor known, in an incomplete answer too. */
    public boolean isViolation() {
        return isViolation;
    }

    /** Whether a JVM was killed or lost events, so that findings may be missing. That no atomic block has run is no loss. */
    public boolean isIncomplete() {
        return isIncomplete;
    }

    /** The verdict, the counts, and a line for each finding. */
    public List<String> lines() {
        return lines;
    }
}
