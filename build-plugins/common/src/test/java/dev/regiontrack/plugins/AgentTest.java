package dev.regiontrack.plugins;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The agent's arguments. */
public class AgentTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final File jar = new File("agent.jar").getAbsoluteFile();
    private final File reports = new File("reports").getAbsoluteFile();
    private final String start = "-javaagent:" + jar + '=';
    private final String report = "format=json,report=" + new File(reports, "report-%p.json");

    private List<String> arguments(Agent agent) {
        return agent.arguments(jar, reports);
    }

    @Test
    public void each_jvm_writes_a_report_of_its_own() {
        assertEquals(List.of(start + report), arguments(new Agent().options(null).include(null).exclude(null).baseline(null).profile(null).stack(null)));
    }

    @Test
    public void what_the_user_says_comes_first_and_is_stronger() {
        Agent agent = new Agent().options("arrays=all,include=a.*").include("b.*, c.*\n d.*").exclude("e.*").stack("4m");
        assertEquals(List.of("-Xss4m", start + "arrays=all,include=a.*," + report + ",include=b.*:c.*:d.*,exclude=e.*"), arguments(agent));
    }

    @Test
    public void tests_that_are_repeated_leave_their_schedules_beside_the_reports() {
        String schedules = ",schedules=" + new File(reports, "schedules");
        assertEquals(List.of(start + "arrays=all, provoke=tests," + report + schedules), arguments(new Agent().options("arrays=all, provoke=tests")));
        assertEquals(List.of(start + "provoke=tests,schedules=s," + report), arguments(new Agent().options("provoke=tests,schedules=s")));
    }

    @Test
    public void an_agent_of_the_environment_is_seen() {
        for (String options : List.of("-javaagent:regiontrack.jar", "-Xmx1g -javaagent:/opt/regiontrack-0.1.0.jar=exclude=a.* -ea", "\"-javaagent:/my tools/regiontrack.jar=x\"", "-javaagent:C:\\rt\\regiontrack.jar")) {
            assertTrue(options, Agent.isIn(options));
        }
        for (String options : List.of("", "-javaagent:jacoco.jar=output=regiontrack.jar", "-javaagent:/regiontrack/jacoco.jar", "-cp regiontrack.jar", "-javaagent:jacoco.jar -Dx=regiontrack.jar")) {
            assertFalse(options, Agent.isIn(options));
        }
        assertFalse(Agent.isIn(null));
    }

    @Test
    public void options_that_each_jvm_gets_from_here_are_refused() {
        String message = assertThrows(IllegalArgumentException.class, () -> new Agent().options("arrays=all, exitcode=66")).getMessage();
        assertTrue(message, message.startsWith("regiontrack options: exitcode= cannot be set here: "));
    }

    @Test
    public void the_options_say_what_the_result_depends_on() {
        Agent agent = new Agent().options("arrays=all, spec=a.spec,config=b=c,suppressions=d,suppressions=e,baseline=f,models=g,record=h,spec");
        assertEquals(List.of("a.spec", "b=c", "d", "e", "f", "g"), agent.filesOfOptions());
        assertEquals(List.of(), new Agent().filesOfOptions());
        assertFalse(agent.isGuided());
        assertTrue(agent.profile(new File("p")).isGuided());
        assertTrue(new Agent().options("arrays=all, profile=p").isGuided());
    }

    @Test
    public void a_path_with_a_comma_is_a_system_property() {
        File own = new File("a,b").getAbsoluteFile();
        assertEquals(List.of("-Dregiontrack.own=" + own, start + report), arguments(new Agent().own(own)));
    }

    @Test
    public void a_profile_in_the_cache_of_the_build_tool_can_be_written() {
        File profile = Agent.profileIn(folder.getRoot(), "com.acme/prices");
        assertEquals(new File(folder.getRoot(), "regiontrack/com.acme/prices.profile"), profile);
        assertEquals(List.of(start + report + ",profile=" + profile), arguments(new Agent().profile(profile)));
        assertTrue(profile.getParentFile().isDirectory());
    }

    @Test
    public void a_baseline_that_is_not_there_is_told_of_and_suppressions_are_refused() throws IOException {
        File missing = new File(folder.getRoot(), "missing");
        Agent agent = new Agent().baseline(missing);
        assertEquals(Optional.of("baseline " + missing + " is not there, so that no finding is known; make it with  fix"), agent.withoutBaseline("fix"));
        assertEquals(List.of(start + report), arguments(agent));
        Files.createFile(missing.toPath());
        assertEquals(Optional.empty(), agent.withoutBaseline("fix"));
        assertEquals(List.of(start + report + ",baseline=" + missing), arguments(agent));
        File none = new File(folder.getRoot(), "none");
        String message = assertThrows(IllegalArgumentException.class, () -> arguments(new Agent().suppressions(none))).getMessage();
        assertTrue(message, message.startsWith("regiontrack suppressions: " + none + ": no such file; "));
    }

    @Test
    public void what_is_only_known_later_is_added_to_all_the_rest() {
        Agent agent = new Agent().options("arrays=all").include("a.*").stack("8m").own(jar);
        List<String> expected = List.of(start + "arrays=all," + report + ",include=a.*,own=" + jar + ':' + reports);
        assertEquals(expected, arguments(agent.with(List.of(reports), false)));
        assertEquals("-Xss8m", arguments(agent.with(List.of(), true)).get(0));
        assertFalse(Agent.hasStack("-Xmx1g"));
        assertTrue(Agent.hasStack("-Xmx1g -Xss2m"));
    }
}
