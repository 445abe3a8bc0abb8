package subjects4;

import java.util.TreeSet;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Runs classes of tests, and prints what became of each test, in order of their names. */
public final class Run {
    private Run() {
    }

    public static void main(String[] classes) throws Exception {
        TreeSet<String> results = new TreeSet<>();
        JUnitCore core = new JUnitCore();
        core.addListener(new RunListener() {
            @Override
            public void testFinished(Description test) {
                results.add(test.getDisplayName() + ": finished");
            }

            @Override
            public void testFailure(Failure failure) {
                Throwable thrown = failure.getException();
                String cause = thrown.getCause() == null ? "" : " <- " + thrown.getCause().getMessage();
                results.add(failure.getDescription().getDisplayName() + ": FAILED " + String.valueOf(thrown.getMessage()).split("\n")[0] + cause);
            }

            @Override
            public void testAssumptionFailure(Failure failure) {
                results.add(failure.getDescription().getDisplayName() + ": SKIPPED " + failure.getMessage());
            }
        });
        for (String name : classes) {
            core.run(Class.forName(name));
        }
        results.forEach(System.out::println);
    }
}
