package programs;

import edu.umd.cs.findbugs.BugCollectionBugReporter;
import edu.umd.cs.findbugs.BugInstance;
import edu.umd.cs.findbugs.DetectorFactoryCollection;
import edu.umd.cs.findbugs.FindBugs2;
import edu.umd.cs.findbugs.Priorities;
import edu.umd.cs.findbugs.Project;
import edu.umd.cs.findbugs.config.UserPreferences;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** SpotBugs: threads that each analyse a library. */
public final class SpotBugs {
    private SpotBugs() {
    }

    /** The arguments are threads, analyses of each, and the start of the name of the library, which is on the class path. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        String libraries = Path.of(SpotBugs.class.getProtectionDomain().getCodeSource().getLocation().toURI()).resolveSibling("libraries").toString();
        String library;
        try (Stream<Path> files = Files.list(Path.of(libraries))) {
            library = files.filter(file -> file.getFileName().toString().startsWith(arguments[2])).collect(Collectors.toList()).get(0).toString();
        }
        DetectorFactoryCollection.instance();
        Team.print(Integer.parseInt(arguments[0]), number -> {
            Digest digest = new Digest();
            for (int i = 0; i < size; i++) {
                digest.add(analyse(library));
            }
            return digest;
        });
    }

    private static String analyse(String library) throws Exception {
        try (Project project = new Project(); FindBugs2 engine = new FindBugs2()) {
            project.addFile(library);
            BugCollectionBugReporter reporter = new BugCollectionBugReporter(project, new PrintWriter(Writer.nullWriter()));
            reporter.setPriorityThreshold(Priorities.LOW_PRIORITY);
            engine.setProject(project);
            engine.setBugReporter(reporter);
            engine.setDetectorFactoryCollection(DetectorFactoryCollection.instance());
            engine.setUserPreferences(UserPreferences.createDefaultUserPreferences());
            engine.execute();
            TreeSet<String> found = new TreeSet<>();
            for (BugInstance bug : reporter.getBugCollection()) {
                found.add(bug.getType() + " " + bug.getPrimaryClass().getClassName() + " " + bug.getPrimarySourceLineAnnotation());
            }
            return found.toString();
        }
    }
}
