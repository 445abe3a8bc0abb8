package attached;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;

/** Loads a program, has the agent attached to this JVM by another process, as a test framework's extension does, and runs the program. */
public class Self {
    public static void main(String[] args) throws Exception {
        Class<?> program = Class.forName(args[2], false, Self.class.getClassLoader());
        attach(args[0], args[1]);
        try {
            program.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            throw cause instanceof Exception ? (Exception) cause : e;
        }
    }

    private static void attach(String jar, String options) throws IOException, InterruptedException {
        String java = System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
        String own = Long.toString(ProcessHandle.current().pid());
        ProcessBuilder helper = new ProcessBuilder(java, "-cp", jar, "dev.regiontrack.attach.Attach", own, jar, options);
        // What it says is not the program's output.
        helper.redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.INHERIT);
        if (helper.start().waitFor() != 0) {
            throw new IOException("not attached");
        }
    }
}
