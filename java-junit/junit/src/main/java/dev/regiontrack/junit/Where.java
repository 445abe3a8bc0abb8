package dev.regiontrack.junit;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a thread was when a violation happened: the stack trace is that thread's, as far as it is known. Never thrown. */
final class Where extends Exception {
    private static final long serialVersionUID = 1;
    /** {@code com.example.Cache.get(Cache.java:14)}. */
    private static final Pattern FRAME = Pattern.compile("(.*)\\.([^.(]+)\\((.*?)(?::(\\d+))?\\)");

    /** A message without a thread, which is added to what a test has thrown. */
    Where(String message, Throwable cause) {
        super(message, cause, true, false);
    }

    Where(String message, List<String> frames, Where other) {
        super(message, other, true, true);
        setStackTrace(frames.stream().map(Where::frame).toArray(StackTraceElement[]::new));
    }

    private static StackTraceElement frame(String text) {
        Matcher frame = FRAME.matcher(text);
        if (!frame.matches()) {
            return new StackTraceElement(text, "", null, -1);
        }
        String file = frame.group(3).isEmpty() ? null : frame.group(3);
        return new StackTraceElement(frame.group(1), frame.group(2), file, frame.group(4) == null ? -1 : Integer.parseInt(frame.group(4)));
    }

    /** The message without the name of this class, which says nothing. */
    @Override
    public String toString() {
        return getMessage();
    }
}
