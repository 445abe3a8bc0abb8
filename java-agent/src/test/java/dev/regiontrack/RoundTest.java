package dev.regiontrack;

import static org.junit.Assert.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.Test;

/** Tentative reads: which records threads hand over. */
public class RoundTest {
    private static final String PROGRAMS = System.getProperty("regiontrack.programs");

    @Test
    public void the_items_around_rounds_are_those_of_the_protocol() throws Exception {
        String expected = new String(getClass().getResourceAsStream("/rounds.txt").readAllBytes(), StandardCharsets.UTF_8);
        for (Jvm jvm : Jvm.all()) {
            Jvm.Run run = jvm.run(Jvm.agent("mode=dependencies,readers=true", "keep=true"), PROGRAMS, "Tentative");
            assertEquals(jvm + run.err, expected, run.out);
        }
    }
}
