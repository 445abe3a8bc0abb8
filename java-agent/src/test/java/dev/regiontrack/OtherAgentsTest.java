package dev.regiontrack;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.tools.ExecFileLoader;
import org.junit.Test;

/** Other agents in the same JVM, started before this one or after it. */
public class OtherAgentsTest {
    private static final String PROGRAMS = System.getProperty("regiontrack.programs");

    /** Returns what the agent prints about its run: the number of instrumented classes, and another figure. */
    private static String observed(Jvm.Run run, String figure) {
        Matcher said = Pattern.compile("classes instrumented (\\d+) .* failed 0, lost 0, .* " + figure + " (\\d+)").matcher(run.err);
        assertTrue(run.err, said.find());
        return said.group(1) + " classes, " + figure + ' ' + said.group(2);
    }

    /** Returns the classes of the class path that JaCoCo has seen: by name, the class file's identity and the reached probes. */
    private static Map<String, String> coverage(Path file) throws Exception {
        ExecFileLoader loader = new ExecFileLoader();
        loader.load(file.toFile());
        Map<String, String> result = new TreeMap<>();
        for (ExecutionData data : loader.getExecutionDataStore().getContents()) {
            if (data.getName().startsWith("Covered")) {
                result.put(data.getName(), Long.toHexString(data.getId()) + Arrays.toString(data.getProbes()));
            }
        }
        Files.delete(file);
        return result;
    }

    @Test
    public void jacoco_and_this_agent_leave_each_other_alone_in_either_order() throws Exception {
        Path file = Files.createTempFile("jacoco", ".exec");
        String jacoco = "-javaagent:" + System.getProperty("regiontrack.jacoco") + "=destfile=" + file;
        for (Jvm jvm : Jvm.all()) {
            Jvm.Run alone = jvm.run(Jvm.agent("arrays=all"), PROGRAMS, "Covered");
            Jvm.Run covered = jvm.run(List.of(jacoco), PROGRAMS, "Covered");
            Map<String, String> coverage = coverage(file);
            assertEquals(jvm + covered.err, 3, coverage.size());
            for (boolean isFirst : jvm.isThorough() ? new boolean[] {true, false} : new boolean[] {false}) {
                List<String> options = Jvm.agent("arrays=all");
                options.add(isFirst ? 0 : options.size(), jacoco);
                Jvm.Run both = jvm.run(options, PROGRAMS, "Covered");
                String order = jvm + (isFirst ? ", JaCoCo first: " : ", JaCoCo last: ");
                assertEquals(order + both.err, covered.out, both.out);
                assertEquals(order + both.err, 0, both.exit);
                assertEquals(order, coverage, coverage(file));
                // The numbers of records may differ: JaCoCo starts a thread when the program ends.
                assertEquals(order, observed(alone, "slow"), observed(both, "slow"));
            }
        }
    }

    @Test
    public void another_agent_can_redefine_and_retransform_classes() throws Exception {
        Path second = agentJar("Changed");
        for (Jvm jvm : Jvm.all()) {
            for (boolean isFirst : jvm.isThorough() ? new boolean[] {true, false} : new boolean[] {true}) {
                String expected = null;
                for (String how : List.of("leave", "redefine", "change", "retransform")) {
                    List<String> options = Jvm.agent("", "models=" + System.getProperty("regiontrack.models"));
                    options.add(isFirst ? 0 : options.size(), "-javaagent:" + second);
                    Jvm.Run run = jvm.run(options, PROGRAMS, "Changed", how);
                    assertEquals(jvm + how + run.err, how.equals("change") ? "80002\n80004\n" : "70002\n70004\n", run.out);
                    expected = expected == null ? observed(run, "slow") : expected;
                    assertEquals(jvm + how, expected, observed(run, "slow"));
                }
            }
        }
        Files.delete(second);
    }

    /** Builds an agent's jar for a class of the class path. */
    private static Path agentJar(String premain) throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", premain);
        manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
        manifest.getMainAttributes().putValue("Can-Redefine-Classes", "true");
        Path jar = Files.createTempFile("second", ".jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }
}
