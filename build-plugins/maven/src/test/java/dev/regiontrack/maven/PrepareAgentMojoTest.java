package dev.regiontrack.maven;

import static org.junit.Assert.assertEquals;

import java.util.Optional;
import org.junit.Test;

/** How arguments are written for Surefire, and read from its configuration. */
public class PrepareAgentMojoTest {
    @Test
    public void an_argument_with_blanks_is_in_quotation_marks() {
        assertEquals("-javaagent:/a/b.jar=format=json", PrepareAgentMojo.quoted("-javaagent:/a/b.jar=format=json"));
        assertEquals("\"-javaagent:/my folder/b.jar\"", PrepareAgentMojo.quoted("-javaagent:/my folder/b.jar"));
        assertEquals("-javaagent:C:\\\\a\\\\b.jar", PrepareAgentMojo.quoted("-javaagent:C:\\a\\b.jar"));
    }

    @Test
    public void the_arguments_of_a_runner_are_found_in_its_configuration() {
        String configuration = "<?xml version=\"1.0\"?>\n<configuration>\n  <argLine>@{argLine}\n -Xmx1g</argLine>\n</configuration>";
        assertEquals(Optional.of("@{argLine}\n -Xmx1g"), PrepareAgentMojo.setting(configuration, "argLine"));
        assertEquals(Optional.of("-Xss1m"), PrepareAgentMojo.setting("<argLine combine.self=\"override\">-Xss1m</argLine>", "argLine"));
        assertEquals(Optional.empty(), PrepareAgentMojo.setting("<configuration><argLines>a</argLines></configuration>", "argLine"));
    }
}
