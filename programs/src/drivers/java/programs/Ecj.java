package programs;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.jdt.core.compiler.batch.BatchCompiler;

/** The Eclipse compiler, in several threads at once, each with folders of its own. */
public final class Ecj {
    private static final int CLASSES = 20;

    private Ecj() {
    }

    /** The arguments are threads and compilations of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        Team.print(Integer.parseInt(arguments[0]), number -> {
            Digest digest = new Digest();
            Path folder = Files.createDirectories(Path.of("sources-" + number));
            for (int i = 0; i < size; i++) {
                for (int k = 0; k < CLASSES; k++) {
                    Files.writeString(folder.resolve("C" + k + ".java"), Sources.javaClass("C" + k, (number * size + i) * CLASSES + k));
                }
                StringWriter messages = new StringWriter();
                String[] command = {"-11", "-warn:+all", "-proc:none", "-d", "classes-" + number, folder.toString()};
                boolean isCompiled = BatchCompiler.compile(command, new PrintWriter(messages), new PrintWriter(messages), null);
                digest.add(isCompiled).add(messages);
            }
            return digest;
        });
    }
}
