package dev.regiontrack.maven;

import dev.regiontrack.plugins.Reports;
import java.io.File;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.PluginParameterExpressionEvaluator;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.component.configurator.expression.ExpressionEvaluationException;

/**
 * Makes one report of all modules of the build, after their tests: {@code mvn verify regiontrack:report-aggregate}. It reads the folder
 * {@code regiontrack} in each module's build folder, or its {@code reportsDirectory}.
 */
@Mojo(name = "report-aggregate", aggregator = true, threadSafe = true)
public class ReportAggregateMojo extends ReportMojo {
    private static final String PLUGIN = "dev.regiontrack:regiontrack-maven-plugin";

    @Parameter(defaultValue = "${mojoExecution}", readonly = true, required = true)
    private MojoExecution execution;

    @Override
    boolean isOfModule() {
        return false;
    }

    @Override
    List<File> reports() {
        Set<File> folders = new LinkedHashSet<>();
        session.getProjects().forEach(module -> folders.addAll(folders(module, this::property, this::evaluated)));
        return Reports.in(folders);
    }

    @Override
    String whereReports() {
        return "the modules' folders target/regiontrack, or their reportsDirectory";
    }

    /** A property of this call of Maven, which is stronger than one of a module; null if it is not set. */
    private String property(String name) {
        return session.getUserProperties().getProperty(name, session.getSystemProperties().getProperty(name));
    }

    /** A path of a pom with the values of what only this call of Maven knows, such as {@code ${session.executionRootDirectory}}. */
    private String evaluated(String path) {
        try {
            return String.valueOf(new PluginParameterExpressionEvaluator(session, execution).evaluate(path));
        } catch (ExpressionEvaluationException e) {
            throw new IllegalArgumentException("reportsDirectory " + path + ": " + e.getMessage(), e);
        }
    }

    /**
     * The folders in which a module's JVMs leave their reports, one for each execution of {@code prepare-agent}: what the pom says there, otherwise
     * the property, otherwise the usual one.
     */
    static Set<File> folders(MavenProject module, UnaryOperator<String> property, UnaryOperator<String> evaluated) {
        String usual = Stream.of(property.apply(REPORTS_PROPERTY), module.getProperties().getProperty(REPORTS_PROPERTY)).filter(Objects::nonNull)
            .findFirst().orElse(module.getBuild().getDirectory() + '/' + REPORTS);
        return configurations(module).stream().map(configuration -> setting(configuration, "reportsDirectory").map(evaluated).orElse(usual))
            .map(path -> module.getBasedir().toPath().resolve(path).toFile()).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The configurations with which the goal {@code prepare-agent} runs in a module. */
    private static List<Object> configurations(MavenProject module) {
        Plugin plugin = module.getPlugin(PLUGIN);
        List<Object> found = new ArrayList<>();
        for (PluginExecution each : plugin == null ? List.<PluginExecution>of() : plugin.getExecutions()) {
            if (each.getGoals().contains("prepare-agent")) {
                found.add(each.getConfiguration());
            }
        }
        // A goal that is called by its name has the plugin's.
        return found.isEmpty() ? Collections.singletonList(plugin == null ? null : plugin.getConfiguration()) : found;
    }
}
