package dev.regiontrack.runtime.models;

import static org.junit.Assert.assertEquals;

import java.util.Collections;
import java.util.UUID;
import org.junit.Test;

/** The names of keys in reports. */
public class KeyTextTest {
    enum Colour {
        RED {
            @Override
            public String toString() {
                throw new AssertionError("code of the program");
            }
        }
    }

    static class Point {
        @Override
        public String toString() {
            throw new AssertionError("code of the program");
        }
    }

    @Test
    public void a_key_is_written_like_its_literal() {
        UUID uuid = new UUID(1, 2);
        Object[] keys = {"k", "", 'k', '\'', 7, 7L, (short) 7, (byte) -7, true, 1.5, 1.5f, Colour.RED, String.class, int[].class, uuid};
        String[] expected = {"\"k\"", "\"\"", "'k'", "'\\''", "7", "7L", "7", "-7", "true", "1.5", "1.5", "KeyTextTest$Colour.RED", "java.lang.String.class",
            "int[].class", uuid.toString()};
        for (int i = 0; i < keys.length; i++) {
            assertEquals(expected[i], KeyText.of(keys[i]));
        }
    }

    @Test
    public void what_would_break_a_line_or_has_no_shape_is_escaped() {
        assertEquals("\"\\\"\\\\\"", KeyText.of("\"\\"));
        assertEquals("\"\\u0009\\u000a\\u001b\\u202e\\u2028\\ud83d\"", KeyText.of("\t\n\u001b\u202e\u2028\ud83d"));
        assertEquals("\"\u00e4\u6771'\"", KeyText.of("\u00e4\u6771'"));
    }

    @Test
    public void a_long_key_is_cut() {
        String forty = String.join("", Collections.nCopies(40, "a"));
        assertEquals('"' + forty + '"', KeyText.of(forty));
        assertEquals('"' + forty + "...\"", KeyText.of(forty + "bc"));
    }

    @Test
    public void a_key_that_is_compared_by_its_identity_is_its_class_and_a_number() {
        assertEquals("KeyTextTest$Point@17", KeyText.ofOther(new Point(), 17));
        assertEquals("@17", KeyText.ofOther(null, 17));
    }
}
