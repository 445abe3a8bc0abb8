package dev.regiontrack.plugins;

import java.util.ArrayList;
import java.util.List;

/** What the reports of a build say together: whether something was found that counts, and a line for each finding. */
public final class Judgement {
    private static final int VIOLATED = 1;
    private static final int INCOMPLETE = 2;

    private final int code;
    private final List<String> lines = new ArrayList<>();

    /** By the exit code of {@code merge} and the text that it prints, of which the head has a line for each finding. */
    Judgement(int code, String text) {
        this.code = code;
        for (String line : text.split("\r?\n")) {
            // Here the details of the first finding begin.
            if (line.startsWith("1. ")) {
                break;
            }
            // Hints are about the next run, and what each of many JVMs says is more than a console needs: both are in the report.
            if (!line.isBlank() && !line.startsWith("  hint: ") && !line.startsWith("    ")) {
                lines.add(line);
            }
        }
    }

    /** Something was found that is neither suppressed nor known. */
    public boolean isViolation() {
        return code == VIOLATED;
    }

    /** A JVM was killed or lost events, so what was found, if anything, may not be all. */
    public boolean isIncomplete() {
        return code == INCOMPLETE;
    }

    /** The verdict, the counts, and a line for each finding. */
    public List<String> lines() {
        return lines;
    }
}
