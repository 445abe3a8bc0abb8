package dev.regiontrack.junit;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import dev.regiontrack.annotations.ExpectViolation;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;

/** The result of a test, by what the agent reports. */
public class ToldTest {
    private static final Finding LOST = finding("com.example.Cache.put(int,java.lang.Object)", "lost update");
    private static final Finding STALE = finding("com.example.Outer$Inner.get()", "stale read");

    private static Finding finding(String method, String kind) {
        return new Finding(new String[] {method, kind, method + ": " + kind + "\n   why\n", "main", "com.example.Cache.put(Cache.java:12)\ncom.example.Main.main(Main.java)\njdk.internal.reflect.X.invoke(X.java:1)\ncom.example.Start.main(S.java:3)",
            "other", "com.example.Cache.size(Cache.java:30)"});
    }

    private static Told told(Finding... findings) {
        return new Told("ATest.a()", "", List.of(findings));
    }

    private static ExpectViolation expect(String method, String kind) {
        return new ExpectViolation() {
            @Override
            public String method() {
                return method;
            }

            @Override
            public String kind() {
                return kind;
            }

            @Override
            public Class<? extends Annotation> annotationType() {
                return ExpectViolation.class;
            }
        };
    }

    @Test
    public void a_test_fails_with_its_findings_and_where_both_threads_were() {
        assertNull(told().failure(null, true));
        AssertionError error = told(LOST, STALE).failure(null, true);
        String also = "\n     - or say so in the source: @NotAtomic (regiontrack-annotations)";
        assertEquals(LOST.method() + ": lost update\n   why" + also + "\n\n" + STALE.method() + ": stale read\n   why" + also, error.getMessage());
        Throwable own = error.getCause();
        StackTraceElement[] frames = {new StackTraceElement("com.example.Cache", "put", "Cache.java", 12), new StackTraceElement("com.example.Main", "main", "Main.java", -1)};
        assertArrayEquals(frames, error.getStackTrace());
        assertEquals(4, own.getStackTrace().length);
        assertArrayEquals(frames, Arrays.copyOf(own.getStackTrace(), 2));
        assertEquals("thread main, whose " + LOST.method() + " is not atomic, was here", own.toString());
        StackTraceElement[] others = {new StackTraceElement("com.example.Cache", "size", "Cache.java", 30)};
        assertArrayEquals(others, own.getCause().getStackTrace());
        assertEquals("thread other, which came in between, was here", own.getCause().getMessage());
        assertEquals(1, error.getSuppressed().length);
    }

    @Test
    public void an_expected_violation_is_no_failure_and_others_are() {
        assertNull(told(LOST).failure(expect("", ""), true));
        assertNull(told(LOST, STALE).failure(expect("", ""), true));
        assertEquals(STALE.where(), told(LOST, STALE).failure(expect("Cache.put", ""), true).getCause());
    }

    @Test
    public void a_violation_that_is_expected_and_missing_fails_a_test_that_has_come_to_its_end() {
        assertEquals("expected a violation, and there was none", told().failure(expect("", ""), true).getMessage());
        String text = told(STALE).failure(expect("Cache.*", "lost*"), true).getMessage();
        assertTrue(text, text.startsWith("expected a violation of Cache.*, lost*, and there were others\n\n" + STALE.method()));
        assertNull(told().failure(expect("", ""), false));
    }

    @Test
    public void what_is_suppressed_or_known_fails_no_test_and_can_be_expected() {
        Finding lost = Finding.numbered(new String[] {"3", "counts", LOST.method(), "lost update", "", "main", ""});
        Finding known = Finding.numbered(new String[] {"7", "", STALE.method(), "stale read", "", "main", ""});
        assertNull(told(known).failure(null, true));
        assertNull(told(known).failure(expect("Inner.get", ""), true));
        assertArrayEquals(new String[] {"7"}, told(lost, known).numbers(expect("Inner.get", "")));
        assertArrayEquals(new String[] {"3", "7"}, told(lost, known).numbers(expect("", "")));
        assertEquals("expected a violation of Cache.put, and there was none", told(known).failure(expect("Cache.put", ""), true).getMessage());
        assertEquals(lost.where(), told(lost, known).failure(expect("Inner.get", ""), true).getCause());
    }

    @Test
    public void what_may_be_missing_is_said_once() {
        PrintStream before = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true));
        try {
            Told told = new Told("ATest.b()", "the analysis sleeps", List.of());
            assertNull(told.failure(null, true));
            String text = told.failure(expect("", ""), true).getMessage();
            assertEquals("expected a violation, and there was none (incomplete: the analysis sleeps)", text);
        } finally {
            System.setErr(before);
        }
        assertEquals("regiontrack-junit: incomplete from ATest.b() on: the analysis sleeps", said.toString().trim());
    }

    @Test
    public void a_pattern_is_for_the_method_or_for_its_end() {
        for (String pattern : List.of("", "put", "Cache.put", "com.example.Cache.put", "com.*.put", "Ca*.p*t", "put(int,*)", "Cache.put(int,java.lang.Object)")) {
            assertTrue(pattern, Told.isMethod(pattern, LOST.method()));
        }
        for (String pattern : List.of("ut", "Cache", "che.put", "put()", "put(int)", "Cachexput", "[a-z]*")) {
            assertFalse(pattern, Told.isMethod(pattern, LOST.method()));
        }
        assertTrue(Told.isMethod("Inner.get", STALE.method()) && Told.isMethod("Outer$Inner.get()", STALE.method()));
        assertTrue(Told.isKind("Lost Update", "lost update") && Told.isKind("lost*", "lost update by get and put"));
        assertFalse(Told.isKind("lost", "lost update"));
    }
}
