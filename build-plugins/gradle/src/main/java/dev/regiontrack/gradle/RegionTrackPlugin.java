package dev.regiontrack.gradle;

import dev.regiontrack.plugins.Agent;
import dev.regiontrack.plugins.ReportFiles;
import dev.regiontrack.plugins.Reports;
import dev.regiontrack.plugins.Sources;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.gradle.api.Action;
import org.gradle.api.DomainObjectCollection;
import org.gradle.api.GradleException;
import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.artifacts.Configuration;
import org.gradle.api.artifacts.component.ProjectComponentIdentifier;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.FileCollection;
import org.gradle.api.tasks.JavaExec;
import org.gradle.api.tasks.PathSensitivity;
import org.gradle.api.tasks.SourceSet;
import org.gradle.api.tasks.SourceSetContainer;
import org.gradle.api.tasks.testing.Test;
import org.gradle.process.JavaForkOptions;

/**
 * Puts the agent into the JVMs of every {@link Test} and {@link JavaExec}, and adds the tasks {@code regiontrackReport}, {@code regiontrackCheck} and
 * {@code regiontrackBaseline}. Each task's JVMs leave their reports in a folder of its own, {@code build/regiontrack/TASK}.
 */
public class RegionTrackPlugin implements Plugin<Project> {
    /** The name of the extension, of the folder of reports, and of other things named after the product. */
    private static final String NAME = "regiontrack";
    private static final String GROUP = "verification";
    /** Files in the project's folder that are used if the build script names none. */
    private static final String BASELINE = "regiontrack.baseline";
    private static final String SUPPRESSIONS = "regiontrack.supp";

    @Override
    public void apply(Project project) {
        RegionTrackExtension extension = project.getExtensions().create(NAME, RegionTrackExtension.class);
        FileCollection agent = project.files(agent(project));
        RegionTrackReport report = create(project, "regiontrackReport", RegionTrackReport.class, agent,
            "Makes one report of those that the JVMs of tests and programs have left.");
        RegionTrackCheck check = create(project, "regiontrackCheck", RegionTrackCheck.class, agent,
            "Fails if tests or programs have shown a violation that is neither suppressed nor known.");
        RegionTrackBaseline baseline = create(project, "regiontrackBaseline", RegionTrackBaseline.class, agent,
            "Adds what tests and programs have found to the baseline.");
        check.dependsOn(report);
        Callable<Object> test = () -> project.getTasks().getNames().contains("test") ? "test" : Collections.emptyList();
        check.dependsOn(test);
        project.getPluginManager().withPlugin("lifecycle-base", plugin -> project.getTasks().getByName("check").dependsOn(check));
        each(project, Test.class, task -> task.getExtensions().create(NAME, RegionTrackTaskExtension.class));
        each(project, JavaExec.class, task -> task.getExtensions().create(NAME, RegionTrackTaskExtension.class));
        Task first = project.getTasks().create("regiontrackPrepare");
        first.setDescription("Runs before the tasks whose JVMs get the agent, and forgets which of them the last build has skipped.");
        Action<Project> wire = evaluated -> wire(project, extension, agent, report, check, baseline, first);
        if (project.getState().getExecuted()) {
            wire.execute(project);
        } else {
            project.afterEvaluate(wire);
        }
    }

    /** The agent's jar, of this plugin's version unless the build script adds another one. It comes from the project's repositories. */
    private static Configuration agent(Project project) {
        Configuration agent = project.getConfigurations().create("regiontrackAgent");
        agent.setDescription("RegionTrack's agent");
        agent.setCanBeConsumed(false);
        agent.setTransitive(false);
        agent.defaultDependencies(set -> set.add(project.getDependencies().create("dev.regiontrack:regiontrack-agent:" + version())));
        return agent;
    }

    private static String version() {
        try (InputStream description = RegionTrackPlugin.class.getResourceAsStream("plugin.properties")) {
            Properties properties = new Properties();
            properties.load(description);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T extends RegionTrackTask> T create(Project project, String name, Class<T> type, FileCollection agent, String description) {
        T task = project.getTasks().create(name, type);
        task.setGroup(GROUP);
        task.setDescription(description);
        task.setAgent(agent);
        task.setReports(project.files());
        task.mustRunAfter(project.getTasks().withType(Test.class), project.getTasks().withType(JavaExec.class));
        return task;
    }

    /** Connects the tasks, now that the settings for all tasks are known. */
    private static void wire(Project project, RegionTrackExtension extension, FileCollection agent, RegionTrackReport report, RegionTrackCheck check,
        RegionTrackBaseline baseline, Task first) {
        File reports = new File(project.getBuildDir(), NAME);
        Marks marks = new Marks(new File(project.getBuildDir(), "tmp/" + first.getName()));
        first.doLast(marks);
        File folder = new File(project.getBuildDir(), "reports/" + NAME);
        report.setFolder(folder);
        report.setFormats(new ArrayList<>(extension.getFormats()));
        check.setPage(ReportFiles.in(folder, extension.getFormats()).get(0));
        check.setFailOnViolation(extension.isFailOnViolation());
        check.setFailOnIncomplete(extension.isFailOnIncomplete());
        baseline.setBaseline(extension.getBaseline() != null ? extension.getBaseline() : project.file(BASELINE));
        if (extension.isEnabled()) {
            attach(project, extension, agent, report, reports, first);
            project.getGradle().getTaskGraph().whenReady(graph -> {
                List<Task> tasks = graph.getAllTasks().stream().filter(task -> task.getProject() == project && task instanceof JavaForkOptions)
                    .collect(Collectors.toList());
                FileCollection chosen = chosen(project, reports, tasks, marks);
                FileCollection left = chosen.filter(file -> !file.getName().equals(Reports.WITHOUT_AGENT));
                List.of(report, baseline).forEach(task -> task.setReports(left));
                // As a part of another task, it would judge what this build was not to run.
                check.setReports(tasks.isEmpty() && !isAskedFor(check) ? project.files() : chosen);
                report.setSources(sources(project, extension));
            });
        }
    }

    /** Puts the agent into the JVMs of all tasks that are not excluded. */
    private static void attach(Project project, RegionTrackExtension extension, FileCollection jar, Task report, File reports, Task first) {
        File profile = profile(project, extension);
        Agent agent = new Agent().options(extension.getOptions()).include(extension.getInclude()).exclude(extension.getExclude())
            .stack(extension.getStack()).profile(profile);
        List<File> files = new ArrayList<>();
        agent.filesOfOptions().forEach(name -> files.add(project.file(name)));
        File known = extension.getBaseline() != null ? extension.getBaseline() : project.file(BASELINE);
        if (extension.getBaseline() != null || known.isFile()) {
            agent.baseline(known);
            files.add(known);
        }
        File usual = project.file(SUPPRESSIONS);
        List<File> suppressions = extension.getSuppressions().isEmpty() && usual.isFile() ? List.of(usual) : extension.getSuppressions();
        suppressions.forEach(agent::suppressions);
        files.addAll(suppressions);
        FileCollection own = own(project, extension);
        Action<Task> attach = task -> {
            File folder = new File(reports, task.getName());
            if (!isWatched(task)) {
                task.doFirst(new ClearReports(folder));
            } else {
                task.dependsOn(first);
                task.doFirst(new AttachAgent(agent, jar, own, folder));
                task.finalizedBy(report);
                task.getInputs().files(jar).withPropertyName("regiontrackAgent").withPathSensitivity(PathSensitivity.NONE);
                task.getInputs().files(files).withPropertyName("regiontrackFiles").withPathSensitivity(PathSensitivity.NONE);
            }
        };
        // Only tasks with outputs can be up to date, and a program that is run must not be.
        String said = String.join("\n", extension.getOptions(), extension.getInclude(), extension.getExclude(), extension.getStack(),
            profile == null ? "" : profile.getPath());
        boolean isGuided = agent.isGuided();
        each(project, Test.class, task -> {
            attach.execute(task);
            task.getInputs().property("regiontrack", said);
            // With an agent from the environment, each build runs the tests, as each run of regiontrack provoke must, and leaves no report, so the
            // next build without it runs them again.
            task.getInputs().property("regiontrackOfEnvironment", Agent.ofEnvironment().isPresent());
            task.getOutputs().upToDateWhen(any -> !Agent.ofEnvironment().isPresent());
            task.getOutputs().doNotCacheIf("the agent of the environment is to see the tests", any -> Agent.ofEnvironment().isPresent());
            // The profile is written by each run, so it is no input.
            task.getOutputs().doNotCacheIf("a profile guides the tests", any -> isGuided);
            File folder = new File(reports, task.getName());
            // What kept the agent out may be no input, such as the machine.
            task.getOutputs().upToDateWhen(any -> !Reports.areMissing(folder));
            task.getOutputs().doNotCacheIf("the tests ran without the agent", any -> Reports.areMissing(folder));
            task.getOutputs().dir(folder).withPropertyName("regiontrackReports");
        });
        each(project, JavaExec.class, attach::execute);
    }

    /** The profile that guides the tests; null if there is none. */
    private static File profile(Project project, RegionTrackExtension extension) {
        if (extension.getProfile() != null || !extension.isGuided()) {
            return extension.getProfile();
        }
        File cache = project.getGradle().getStartParameter().getProjectCacheDir();
        // The path of `:a:b` is a/b, and that of the build's root is its name.
        String path = project.getPath().substring(1).replace(':', '/');
        return Agent.profileIn(cache != null ? cache : new File(project.getRootDir(), ".gradle"), path.isEmpty() ? project.getName() : path);
    }

    /**
     * The reports of these tasks of this build, or of the last run if it has none, and the notes about JVMs without the agent. A task that is turned
     * off, is skipped, or no longer gets the agent, may have those of an earlier build.
     */
    private static FileCollection chosen(Project project, File reports, List<Task> tasks, Marks marks) {
        List<FileCollection> chosen = new ArrayList<>();
        for (Task task : tasks.isEmpty() ? tasksOf(project, reports) : tasks) {
            if (task.getEnabled() && isWatched(task)) {
                String name = task.getName();
                FileCollection files = project.fileTree(new File(reports, name), tree -> tree.include("**/*.json", Reports.WITHOUT_AGENT));
                if (!tasks.isEmpty()) {
                    // Now it is the last one: the build script has added its own conditions before.
                    task.onlyIf(marks.set(name));
                    files = files.filter(marks.has(name));
                }
                chosen.add(files);
            }
        }
        return project.files(chosen);
    }

    /** The sources of this project, and in the usual folders those of the others, whose classes it can use. */
    private static Sources sources(Project project, RegionTrackExtension extension) {
        List<File> roots = new ArrayList<>();
        for (SourceSet set : sourceSets(project)) {
            try {
                roots.addAll(set.getAllSource().getSrcDirs());
            } catch (RuntimeException e) {
                // New versions of Gradle refuse to ask for a folder that a task determines when it runs. No line of a report is worth a failed build.
                project.getLogger().info("regiontrack: no lines of the sources of {}", set.getName(), e);
            }
        }
        Sources sources = new Sources(extension.getOptions()).module(project.getProjectDir(), roots);
        project.getRootProject().getAllprojects().forEach(other -> sources.module(other.getProjectDir(), List.of()));
        return sources;
    }

    /** The tasks that have left reports: if this build starts no JVM, those of the last run count. */
    private static List<Task> tasksOf(Project project, File reports) {
        String[] names = reports.list();
        return names == null ? List.of() : Arrays.stream(names).map(project.getTasks()::findByName).filter(JavaForkOptions.class::isInstance)
            .collect(Collectors.toList());
    }

    /** Whether the task's JVMs get the agent. */
    private static boolean isWatched(Task task) {
        RegionTrackTaskExtension extension = task.getExtensions().findByType(RegionTrackTaskExtension.class);
        return extension != null && extension.isEnabled();
    }

    /** Whether the command line names the task. */
    private static boolean isAskedFor(Task task) {
        return task.getProject().getGradle().getStartParameter().getTaskNames().stream()
            .anyMatch(path -> path.substring(path.lastIndexOf(':') + 1).equals(task.getName()));
    }

    /** The places of the user's own classes: of this project, and of other projects of the build that its source sets depend on. */
    private static FileCollection own(Project project, RegionTrackExtension extension) {
        ConfigurableFileCollection own = project.files(extension.getOwn());
        for (SourceSet set : sourceSets(project)) {
            own.from(set.getOutput().getClassesDirs().getFiles());
            Configuration classPath = project.getConfigurations().findByName(set.getRuntimeClasspathConfigurationName());
            if (classPath != null) {
                own.from(classPath.getIncoming().artifactView(view -> {
                    view.componentFilter(id -> id instanceof ProjectComponentIdentifier);
                    view.lenient(true);
                }).getFiles());
            }
        }
        return own;
    }

    private static Collection<SourceSet> sourceSets(Project project) {
        // A convention's property in old versions, an extension in new ones.
        Object sets = project.findProperty("sourceSets");
        return sets instanceof SourceSetContainer ? (SourceSetContainer) sets : List.of();
    }

    /** Configures each task of a type, also those added later; if Gradle can do that, not before the task is needed. */
    private static <T extends Task> void each(Project project, Class<T> type, Action<T> action) {
        try {
            DomainObjectCollection.class.getMethod("configureEach", Action.class).invoke(project.getTasks().withType(type), action);
        } catch (NoSuchMethodException e) {
            project.getTasks().withType(type).all(action);
        } catch (ReflectiveOperationException e) {
            throw new GradleException("regiontrack: " + e.getCause(), e);
        }
    }
}
