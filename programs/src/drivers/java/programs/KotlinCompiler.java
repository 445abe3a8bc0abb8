package programs;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;

/** The Kotlin compiler, in several threads at once, each with folders of its own. */
public final class KotlinCompiler {
    private static final int CLASSES = 10;

    private KotlinCompiler() {
    }

    /** The arguments are threads and compilations of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        Path libraries = Path.of(KotlinCompiler.class.getProtectionDomain().getCodeSource().getLocation().toURI()).resolveSibling("libraries");
        String standard;
        try (Stream<Path> files = Files.list(libraries)) {
            standard = files.filter(file -> file.getFileName().toString().matches("kotlin-stdlib-[0-9.]+jar")).map(Path::toString).collect(Collectors.toList()).get(0);
        }
        Team.print(Integer.parseInt(arguments[0]), number -> {
            Digest digest = new Digest();
            Path folder = Files.createDirectories(Path.of("sources-" + number));
            for (int i = 0; i < size; i++) {
                for (int k = 0; k < CLASSES; k++) {
                    Files.writeString(folder.resolve("K" + k + ".kt"), source("K" + k, (number * size + i) * CLASSES + k));
                }
                ByteArrayOutputStream messages = new ByteArrayOutputStream();
                ExitCode code = new K2JVMCompiler().exec(new PrintStream(messages, true, "UTF-8"), "-no-stdlib", "-no-reflect", "-classpath", standard,
                    "-d", "classes-" + number, folder.toString());
                if (code != ExitCode.OK) {
                    throw new IllegalStateException(messages.toString("UTF-8"));
                }
                digest.add(code).add(messages.toByteArray());
            }
            return digest;
        });
    }

    private static String source(String name, int seed) {
        return "package generated\n\ndata class " + name + "(val id: Int, val label: String = \"" + seed + "\", val next: " + name + "? = null) {\n"
            + "    private val cache = mutableMapOf<String, List<Int>>()\n"
            + "    fun numbers(n: Int): List<Int> = cache.getOrPut(\"$label-$n\") { (0 until n).map { it * " + seed + " + id }.filter { it % 3 != 0 } }\n"
            + "    fun describe(x: Any?): String = when (x) {\n        null -> \"nothing\"\n        is Int -> \"int ${x + 1}\"\n        is " + name + " -> x.label\n"
            + "        is List<*> -> x.joinToString { describe(it) }\n        else -> x.toString()\n    }\n"
            + "    operator fun plus(other: " + name + ") = copy(id = id + other.id, next = other)\n"
            + "    inline fun <reified T> only(list: List<Any>): List<T> = list.filterIsInstance<T>()\n"
            + "    companion object { val EMPTY by lazy { " + name + "(0) } }\n}\n\nfun " + name + ".depth(): Int = next?.depth()?.plus(1) ?: 0\n";
    }
}
