package dev.regiontrack.maven;

import static org.junit.Assert.assertEquals;

import java.io.File;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.maven.model.Build;
import org.apache.maven.model.Model;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.project.MavenProject;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Where the reports of all modules are. */
public class ReportAggregateMojoTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final MavenProject module = new MavenProject(new Model());
    private final Plugin plugin = new Plugin();

    private Set<File> folders(Map<String, String> given) {
        module.setFile(new File(folder.getRoot(), "pom.xml"));
        Build build = new Build();
        build.setDirectory(new File(folder.getRoot(), "target").getPath());
        if (plugin.getArtifactId() != null) {
            build.addPlugin(plugin);
        }
        module.setBuild(build);
        UnaryOperator<String> evaluated = path -> path.replace("${session.executionRootDirectory}", "/builds");
        return ReportAggregateMojo.folders(module, given::get, evaluated);
    }

    private File below(String path) {
        return new File(folder.getRoot(), path);
    }

    private void runs(String goal, String configuration) {
        plugin.setGroupId("dev.regiontrack");
        plugin.setArtifactId("regiontrack-maven-plugin");
        PluginExecution execution = new PluginExecution();
        execution.setId(goal + plugin.getExecutions().size());
        execution.addGoal(goal);
        execution.setConfiguration(configuration);
        plugin.addExecution(execution);
    }

    @Test
    public void a_property_says_where_and_that_of_the_call_is_stronger() {
        assertEquals(Set.of(below("target/regiontrack")), folders(Map.of()));
        module.getProperties().setProperty("regiontrack.reportsDirectory", "of-module");
        assertEquals(Set.of(below("of-module")), folders(Map.of()));
        assertEquals(Set.of(below("given")), folders(Map.of("regiontrack.reportsDirectory", "given")));
    }

    @Test
    public void what_the_pom_says_for_an_execution_is_stronger_than_a_property() {
        runs("prepare-agent", "<configuration><reportsDirectory>reports</reportsDirectory></configuration>");
        runs("prepare-agent", "<configuration><reportsDirectory>${session.executionRootDirectory}/all</reportsDirectory></configuration>");
        runs("prepare-agent", null);
        runs("check", "<configuration><reportsDirectory>other</reportsDirectory></configuration>");
        assertEquals(Set.of(below("reports"), new File("/builds/all"), below("given")), folders(Map.of("regiontrack.reportsDirectory", "given")));
    }

    @Test
    public void a_goal_that_is_called_by_its_name_has_the_configuration_of_the_plugin() {
        runs("check", null);
        plugin.setConfiguration("<configuration><reportsDirectory>reports</reportsDirectory></configuration>");
        assertEquals(Set.of(below("reports")), folders(Map.of()));
    }
}
