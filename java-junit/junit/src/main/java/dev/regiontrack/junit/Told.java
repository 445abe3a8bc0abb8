package dev.regiontrack.junit;

import dev.regiontrack.annotations.ExpectViolation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** What the agent has reported about a test that has ended, and the result of the test. */
public final class Told {
    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    private final String test;
    /** Why there may be more findings; empty if there are not. */
    private final String incomplete;
    private final List<Finding> findings;

    Told(String test, String incomplete, List<Finding> findings) {
        this.test = test;
        this.incomplete = incomplete;
        this.findings = findings;
    }

    /**
     * The error that the test fails with, or null. A violation is a failure unless it is expected. A missing expected violation is one if the test
     * has come to its end.
     */
    public AssertionError failure(ExpectViolation expected, boolean hasEnded) {
        List<Finding> others = others(expected);
        boolean isMissing = expected != null && !has(expected);
        say();
        if (isMissing && hasEnded) {
            AssertionError error = new AssertionError(missing(expected));
            others.forEach(finding -> error.addSuppressed(finding.where()));
            return error;
        }
        return others.isEmpty() ? null : new ViolationError(others);
    }

    /** The unexpected violations of one run of several, or null. {@code words} says which run it was. */
    AssertionError violation(ExpectViolation expected, String words) {
        say();
        List<Finding> others = others(expected);
        return others.isEmpty() ? null : new ViolationError(others, words);
    }

    /** The error after {@code runs} runs without the expected violation; null if none is expected. */
    AssertionError missing(ExpectViolation expected, int runs) {
        return expected == null ? null : new AssertionError(missing(expected) + ", in any of " + runs + " runs");
    }

    /** Whether a violation is expected and was found. */
    boolean has(ExpectViolation expected) {
        return expected != null && findings.stream().anyMatch(finding -> matches(expected, finding));
    }

    /** The agent's numbers for the expected findings. */
    String[] numbers(ExpectViolation expected) {
        return findings.stream().filter(finding -> matches(expected, finding)).map(Finding::number).toArray(String[]::new);
    }

    private List<Finding> others(ExpectViolation expected) {
        List<Finding> others = new ArrayList<>(findings);
        others.removeIf(finding -> !finding.counts() || expected != null && matches(expected, finding));
        return others;
    }

    /** Reports, once, why there may be more findings. */
    private void say() {
        if (!incomplete.isEmpty() && SAID.add(incomplete)) {
            System.err.println("regiontrack-junit: incomplete from " + test + " on: " + incomplete);
        }
    }

    private String missing(ExpectViolation expected) {
        StringBuilder text = new StringBuilder("expected a violation");
        text.append(expected.method().isEmpty() ? "" : " of " + expected.method());
        text.append(expected.kind().isEmpty() ? "" : ", " + expected.kind());
        List<Finding> others = others(expected);
        text.append(others.isEmpty() ? ", and there was none" : ", and there were others");
        text.append(incomplete.isEmpty() ? "" : " (incomplete: " + incomplete + ')');
        others.forEach(finding -> text.append("\n\n").append(finding.text()));
        return text.toString();
    }

    private static boolean matches(ExpectViolation expected, Finding finding) {
        return isMethod(expected.method(), finding.method()) && isKind(expected.kind(), finding.kind());
    }

    /** Whether the pattern matches the method, or its end behind a dot; with or without its parameters. */
    static boolean isMethod(String pattern, String method) {
        String name = pattern.indexOf('(') < 0 && method.indexOf('(') >= 0 ? method.substring(0, method.indexOf('(')) : method;
        return pattern.isEmpty() || Pattern.matches("(.*[.$])?" + glob(pattern.trim()), name);
    }

    static boolean isKind(String pattern, String kind) {
        return pattern.isEmpty() || Pattern.matches(glob(pattern.trim().toLowerCase(Locale.ROOT)), kind.toLowerCase(Locale.ROOT));
    }

    private static String glob(String pattern) {
        return Pattern.quote(pattern).replace("*", "\\E.*\\Q");
    }
}
