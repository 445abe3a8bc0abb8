package dev.regiontrack.instrument.code;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** The line of code that a compiler has copied from elsewhere. */
public class InlinedLinesTest {
    /** A part of what Kotlin 1.9 generated for a class of MapDB. */
    private static final String KOTLIN = "SMAP\nStoreDirect.kt\nKotlin\n*S Kotlin\n*F\n+ 1 StoreDirect.kt\norg/mapdb/StoreDirect\n+ 2 Utils.kt\n"
        + "org/mapdb/Utils\n*L\n1#1,1121:1\n124#2,5:1193\n124#2,5:1198\n*S KotlinDebug\n*F\n+ 1 StoreDirect.kt\norg/mapdb/StoreDirect\n*L\n"
        + "656#1:1193,5\n691#1:1198,5\n700#1,3:1210,2\n914#1:1232\n*E\n";

    @Test
    public void inlined_code_is_where_it_was_called() {
        InlinedLines lines = new InlinedLines(KOTLIN);
        int[] called = {656, 656, 691, 691, 700, 700, 701, 702, 914};
        int[] inlined = {1193, 1197, 1198, 1202, 1210, 1211, 1212, 1215, 1232};
        for (int i = 0; i < inlined.length; i++) {
            assertEquals(called[i], lines.call(inlined[i]));
        }
    }

    @Test
    public void other_lines_are_what_they_are() {
        InlinedLines lines = new InlinedLines(KOTLIN);
        for (int line : new int[] {0, 1, 656, 1121, 1192, 1203, 1209, 1216, 1231, 1233, 65535}) {
            assertEquals(line, lines.call(line));
        }
    }

    @Test
    public void a_class_without_such_a_table_or_with_another_ones_has_its_own_lines() {
        String jsp = "SMAP\nA.java\nJSP\n*S JSP\n*F\n0 a.jsp\n*L\n5:1193,5\n*E\n";
        for (String table : new String[] {null, "", "*S KotlinDebug\n", jsp, "*S KotlinDebug\n*L\n99999999999:1193,5\nx:1193\n*E"}) {
            assertEquals(1193, new InlinedLines(table).call(1193));
        }
    }
}
