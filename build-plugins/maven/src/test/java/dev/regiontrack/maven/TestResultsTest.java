package dev.regiontrack.maven;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Date;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Which tests have run in a build, by the files that their runners have left. */
public class TestResultsTest {
    private static final long START = 1_700_000_000_900L;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private void leave(String name, long time) throws IOException {
        File file = new File(folder.getRoot(), name);
        assertTrue(file.getParentFile().isDirectory() || file.getParentFile().mkdirs());
        assertTrue(file.createNewFile() && file.setLastModified(time));
    }

    private boolean haveRun(long start) {
        return TestResults.areIn(folder.getRoot(), new Date(start));
    }

    @Test
    public void results_of_an_earlier_build_do_not_count() throws IOException {
        assertFalse(haveRun(START));
        leave("surefire-reports/TEST-a.ATest.xml", START - 60_000);
        assertFalse(haveRun(START));
        assertFalse(TestResults.areIn(folder.getRoot(), null));
        leave("failsafe-reports/failsafe-summary.xml", START + 60_000);
        assertFalse(haveRun(START));
        leave("failsafe-reports/TEST-a.AIT.xml", START + 60_000);
        assertTrue(haveRun(START));
    }

    @Test
    public void a_file_whose_time_is_in_whole_seconds_counts() throws IOException {
        leave("surefire-reports/TEST-a.ATest.xml", START / 1000 * 1000);
        assertTrue(haveRun(START));
    }

    private void leaveWith(String name, String... properties) throws IOException {
        leave(name, START);
        StringBuilder text = new StringBuilder("<testsuite name=\"a\">\n  <properties>\n");
        for (String property : properties) {
            text.append("    <property name=\"").append(property).append("\" value=\"true\"/>\n");
        }
        text.append("  </properties>\n  <testcase name=\"f\"/>\n  <system-out>name=\"java.version\"</system-out>\n</testsuite>\n");
        Files.writeString(new File(folder.getRoot(), name).toPath(), text);
    }

    @Test
    public void a_runner_without_the_agent_is_told_beside_one_with_it() throws IOException {
        leaveWith("surefire-reports/TEST-a.ATest.xml", "java.version", TestResults.MARK);
        leaveWith("surefire-reports/TEST-a.BTest.xml", "java.version");
        assertEquals(List.of(), TestResults.withoutAgent(folder.getRoot(), new Date(START)));
        leaveWith("failsafe-reports/TEST-a.AIT.xml", "java.version");
        assertEquals(List.of("Failsafe"), TestResults.withoutAgent(folder.getRoot(), new Date(START)));
        assertEquals(List.of(), TestResults.withoutAgent(folder.getRoot(), null));
        assertEquals(List.of(), TestResults.withoutAgent(folder.getRoot(), new Date(System.currentTimeMillis() + 60_000)));
    }

    @Test
    public void results_that_say_nothing_of_their_jvm_are_not_held_against_it() throws IOException {
        leaveWith("failsafe-reports/TEST-a.AIT.xml", "a.b");
        assertEquals(List.of(), TestResults.withoutAgent(folder.getRoot(), new Date(START)));
    }
}
