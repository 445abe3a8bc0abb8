package dev.regiontrack.plugins;

import java.util.ArrayList;
import java.util.List;

/** The result of all reports of a build: whether a finding counts, and a line for each finding. */
public final class Judgement {
    private static final int VIOLATED = 1;
    private static final int INCOMPLETE = 2;

    private final int code;
    private final List<String> lines = new ArrayList<>();

    /** A judgement from the exit code of {@code merge} and the text that it prints, whose head has a line for each finding. */
    Judgement(int code, String text) {
        this.code = code;
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

    /** Whether there is a finding that is neither suppressed nor known. */
    public boolean isViolation() {
        return code == VIOLATED;
    }

    /** Whether a JVM was killed or lost events, so that findings may be missing. */
    public boolean isIncomplete() {
        return code == INCOMPLETE;
    }

    /** The verdict, the counts, and a line for each finding. */
    public List<String> lines() {
        return lines;
    }
}
