package subjects5;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs classes of tests, as a build does, and prints what became of each test and class, in order of their names. */
public final class Run {
    private Run() {
    }

    public static void main(String[] classes) {
        Map<String, String> results = new TreeMap<>();
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request().filters(ClassNameFilter.includeClassNamePatterns(".*"));
        for (String name : classes) {
            request.selectors(selectClass(name));
        }
        try (LauncherSession session = LauncherFactory.openSession()) {
            session.getLauncher().execute(request.build(), new TestExecutionListener() {
                @Override
                public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                    // Without the identifiers of engines, which differ between versions.
                    String id = test.getUniqueId().replaceAll("\\[engine:[^]]*\\]/?", "").replaceAll("[a-z-]+:", "");
                    String thrown = result.getThrowable().map(Run::told).orElse("");
                    synchronized (results) {
                        results.put(id, result.getStatus() + thrown);
                    }
                }
            });
        }
        results.forEach((test, result) -> System.out.println(test + ": " + result));
        // The pools of a failed test must not keep the JVM alive.
        System.exit(0);
    }

    /** The first line of a throwable's message, where it was thrown, and the same for its cause and for what it suppresses. */
    public static String told(Throwable thrown) {
        String message = String.valueOf(thrown.getMessage());
        StringBuilder text = new StringBuilder(" ").append(message.split("\n")[0]);
        StackTraceElement[] stack = thrown.getStackTrace();
        if (thrown.getCause() == null && stack.length > 0 && message.startsWith("thread ")) {
            text.append(" at ").append(stack[0].getClassName()).append('.').append(stack[0].getMethodName());
        }
        if (thrown.getCause() != null) {
            text.append(" <-").append(told(thrown.getCause()));
        }
        for (Throwable other : thrown.getSuppressed()) {
            text.append(" &").append(told(other));
        }
        return text.toString();
    }
}
