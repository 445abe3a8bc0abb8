package programs;

import com.puppycrawl.tools.checkstyle.Checker;
import com.puppycrawl.tools.checkstyle.ConfigurationLoader;
import com.puppycrawl.tools.checkstyle.PropertiesExpander;
import com.puppycrawl.tools.checkstyle.api.AuditEvent;
import com.puppycrawl.tools.checkstyle.api.AuditListener;
import com.puppycrawl.tools.checkstyle.api.Configuration;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** Checkstyle: threads that check generated sources by Sun's rules. */
public final class CheckstyleRuns {
    private CheckstyleRuns() {
    }

    /** The arguments are threads and classes of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        Team.print(Integer.parseInt(arguments[0]), number -> {
            Path folder = Files.createDirectories(Path.of("sources-" + number));
            List<File> files = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                Path file = folder.resolve("C" + i + ".java");
                Files.writeString(file, Sources.javaClass("C" + i, number * size + i));
                files.add(file.toFile());
            }
            Configuration rules = ConfigurationLoader.loadConfiguration("/sun_checks.xml", new PropertiesExpander(new Properties()));
            Checker checker = new Checker();
            checker.setModuleClassLoader(Checker.class.getClassLoader());
            checker.configure(rules);
            Listener listener = new Listener();
            checker.addListener(listener);
            int errors = checker.process(files);
            checker.destroy();
            return errors + " errors, " + listener.digest;
        });
    }

    private static final class Listener implements AuditListener {
        final Digest digest = new Digest();

        @Override
        public void auditStarted(AuditEvent event) {
        }

        @Override
        public void auditFinished(AuditEvent event) {
        }

        @Override
        public void fileStarted(AuditEvent event) {
        }

        @Override
        public void fileFinished(AuditEvent event) {
        }

        @Override
        public void addError(AuditEvent event) {
            digest.add(new File(event.getFileName()).getName()).add(event.getLine()).add(event.getMessage());
        }

        @Override
        public void addException(AuditEvent event, Throwable failure) {
            throw new IllegalStateException(failure);
        }
    }
}
