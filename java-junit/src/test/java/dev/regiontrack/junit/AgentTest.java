package dev.regiontrack.junit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.Test;

/** What happens without the agent. */
public class AgentTest {
    @Test
    public void without_the_agent_one_line_says_what_to_add_and_tests_are_left_alone() {
        PrintStream before = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true));
        try {
            assertNull(Agent.here());
            assertNull(Scope.begin("a test", null));
        } finally {
            System.setErr(before);
        }
        String expected = "regiontrack-junit: the agent is not in this JVM (its jar is not known), so no test fails because of a violation; add -javaagent:";
        assertEquals(said.toString(), 1, said.toString().lines().filter(line -> line.startsWith(expected)).count());
    }

    @Test
    public void a_jar_that_is_no_agent_and_one_that_is_not_wanted_are_not_attached() {
        String own = AgentTest.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        assertEquals(own + " is no agent that can be attached", Attaching.attach(own));
        assertEquals("/nowhere/regiontrack.jar is no agent that can be attached", Attaching.attach("/nowhere/regiontrack.jar"));
        assertEquals("regiontrack-junit.agent=none", Attaching.attach("none"));
    }

    @Test
    public void the_jar_is_that_of_the_property() {
        assertNull(Attaching.jar());
        System.setProperty("regiontrack-junit.agent", "/opt/regiontrack.jar");
        try {
            assertEquals("/opt/regiontrack.jar", Attaching.jar());
        } finally {
            System.clearProperty("regiontrack-junit.agent");
        }
    }
}
