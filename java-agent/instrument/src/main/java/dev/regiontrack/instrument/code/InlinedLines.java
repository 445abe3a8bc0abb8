package dev.regiontrack.instrument.code;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Maps the lines of code that Kotlin's compiler has inlined. In the class they lie behind the end of the file; for each of them, the stratum
 * {@code KotlinDebug} of the table that JSR 45 defines has the line of the call in this file.
 */
final class InlinedLines {
    private static final String STRATUM = "*S KotlinDebug\n";

    /** A class of its own, because the first use of a pattern takes time, and few programs have such a table. */
    private static final class Entry {
        /**
         * {@code CALL#FILE,REPEAT:START,COUNT}: COUNT lines from START on belong to the call in line CALL; this is repeated REPEAT times,
         * one call a line.
         */
        static final Pattern PATTERN = Pattern.compile("^(\\d{1,9})(?:#\\d+)?(?:,(\\d{1,9}))?:(\\d{1,9})(?:,(\\d{1,9}))?$", Pattern.MULTILINE);
    }

    private final List<int[]> ranges = new ArrayList<>();

    /** {@code table} is the class's attribute {@code SourceDebugExtension}; null if it has none. */
    InlinedLines(String table) {
        int start = table == null ? -1 : table.indexOf(STRATUM);
        if (start < 0) {
            return;
        }
        int next = table.indexOf("\n*S ", start);
        int end = table.indexOf("\n*E", start);
        Matcher entries = Entry.PATTERN.matcher(table.substring(start, next >= 0 ? next : end >= 0 ? end : table.length()));
        while (entries.find()) {
            int[] range = {number(entries.group(1)), number(entries.group(2)), number(entries.group(3)), number(entries.group(4))};
            ranges.add(range);
        }
    }

    /** Parses a number that is 1 if it is left out. */
    private static int number(String text) {
        return text == null ? 1 : Integer.parseInt(text);
    }

    /** Returns the line of the call for which this line was inlined, or the line itself. */
    int call(int line) {
        for (int[] range : ranges) {
            long after = (long) line - range[2];
            if (after >= 0 && after < (long) range[1] * range[3]) {
                return range[0] + (int) (after / range[3]);
            }
        }
        return line;
    }
}
