package dev.regiontrack.junit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.Test;

/** Without the agent. */
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
        assertEquals(1, said.toString().lines().filter(line -> line.contains("add -javaagent:")).count());
        String line = "regiontrack-junit: the agent is not in this JVM, so no test fails because of a violation; add -javaagent:";
        assertEquals(line + "/opt/regiontrack.jar to the arguments of the JVM that runs the tests", Agent.missing("/opt/regiontrack.jar"));
    }
}
