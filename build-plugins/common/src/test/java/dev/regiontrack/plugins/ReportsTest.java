package dev.regiontrack.plugins;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The reports of JVMs, and the results of merging them. */
public class ReportsTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void reports_of_an_earlier_build_are_removed_and_nothing_else() throws IOException {
        File root = folder.getRoot();
        List<File> reports = List.of(folder.newFile("report-1.json"), folder.newFile("report-2.json"));
        File other = folder.newFile("notes.txt");
        assertEquals(reports, Reports.in(List.of(root, new File(root, "missing"))));
        Reports.clear(root);
        assertEquals(List.of(), Reports.in(List.of(root)));
        assertTrue(other.exists());
        File fresh = new File(root, "not/there");
        Reports.clear(fresh);
        assertTrue(fresh.isDirectory());
    }

    @Test
    public void a_merged_report_has_a_file_of_each_format() {
        File root = folder.getRoot();
        assertEquals(List.of(new File(root, "index.html"), new File(root, "regiontrack.xml")), ReportFiles.in(root, List.of("html", " junit")));
        String message = assertThrows(IllegalArgumentException.class, () -> ReportFiles.in(root, List.of("pdf"))).getMessage();
        assertEquals("regiontrack formats: pdf: expected some of html, json, junit, markdown, sarif, text", message);
        assertThrows(IllegalArgumentException.class, () -> ReportFiles.in(root, List.of()));
    }

    @Test
    public void a_judgement_is_the_head_of_the_text_without_hints_and_single_jvms() {
        String text = "regiontrack: non-serializable\n  1 of 4 blocks violated\n  hint: add a class\n  reports of 2 runs\n    report-1.json: serializable\n\n"
            + "  1  lost update  a.B.c  1 of 4  B.java:7\n\n1. a.B.c(): lost update\n   violated\n";
        Judgement found = new Judgement(1, text, "");
        assertEquals(List.of("regiontrack: non-serializable", "  1 of 4 blocks violated", "  reports of 2 runs", "  1  lost update  a.B.c  1 of 4  B.java:7"),
            found.lines());
        assertTrue(found.isViolation() && !found.isIncomplete());
        assertFalse(new Judgement(0, text, "").isViolation());
    }

    @Test
    public void an_incomplete_answer_can_have_a_violation_or_none() {
        Judgement none = new Judgement(2, "", suite(0, 1));
        assertTrue(none.isIncomplete() && !none.isViolation());
        Judgement both = new Judgement(2, "", suite(10, 1));
        assertTrue(both.isIncomplete() && both.isViolation());
        // Whatever says nothing of what was lost is not taken for whole.
        assertTrue(new Judgement(2, "", "").isIncomplete());
    }

    private static String suite(int failures, int errors) {
        String suite = "<testsuites>\n<testsuite name=\"reports of 2 runs\" tests=\"3\" failures=\"%d\" errors=\"%d\" skipped=\"1\">\n</testsuite>\n";
        return String.format(suite, failures, errors);
    }

    @Test
    public void without_a_block_there_is_nothing_to_judge_and_nothing_is_lost() {
        String text = "regiontrack: no answer, because there was no block to judge\n  0 of 0 blocks violated\n  warning: no class was watched\n";
        Judgement nothing = new Judgement(2, text, suite(0, 0));
        assertFalse(nothing.isIncomplete() || nothing.isViolation());
        assertEquals("  nothing was judged here, and nothing was lost: no atomic block has run", nothing.lines().get(3));
        // A cycle of transactions outside of blocks.
        Judgement cycle = new Judgement(2, text, suite(1, 0));
        assertTrue(cycle.isViolation() && !cycle.isIncomplete());
        assertEquals(3, cycle.lines().size());
    }

    @Test
    public void jvms_without_a_report_ran_without_the_agent() throws IOException {
        File root = folder.getRoot();
        assertFalse(Reports.areMissing(root));
        Reports.noteIfMissing(root);
        assertTrue(Reports.areMissing(root));
        assertEquals(List.of(), Reports.in(List.of(root)));
        Reports.clear(root);
        folder.newFile("report-1.json");
        Reports.noteIfMissing(root);
        assertFalse(Reports.areMissing(root));
    }
}
