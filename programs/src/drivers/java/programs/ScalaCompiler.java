package programs;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import scala.Predef;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.internal.util.BatchSourceFile;
import scala.reflect.internal.util.SourceFile;
import scala.tools.nsc.Global;
import scala.tools.nsc.Settings;
import scala.tools.nsc.reporters.StoreReporter;

/** The Scala compiler, in several threads at once, each with a folder of its own. */
public final class ScalaCompiler {
    private static final int CLASSES = 10;

    private ScalaCompiler() {
    }

    /** The arguments are threads and compilations of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        Path libraries = Path.of(ScalaCompiler.class.getProtectionDomain().getCodeSource().getLocation().toURI()).resolveSibling("libraries");
        String classPath;
        try (Stream<Path> files = Files.list(libraries)) {
            classPath = files.map(Path::toString).sorted().collect(Collectors.joining(File.pathSeparator));
        }
        Team.print(Integer.parseInt(arguments[0]), number -> {
            Digest digest = new Digest();
            Files.createDirectories(Path.of("classes-" + number));
            Settings settings = new Settings();
            settings.classpath().value_$eq(classPath);
            settings.outputDirs().setSingleOutput("classes-" + number);
            StoreReporter reporter = new StoreReporter(settings);
            Global global = new Global(settings, reporter);
            for (int i = 0; i < size; i++) {
                List<SourceFile> sources = new ArrayList<>();
                for (int k = 0; k < CLASSES; k++) {
                    sources.add(new BatchSourceFile("S" + k + ".scala", Predef.wrapString(source("S" + k, (number * size + i) * CLASSES + k))));
                }
                global.new Run().compileSources(CollectionConverters.asScala(sources).toList());
                digest.add(reporter.hasErrors()).add(reporter.infos().size());
            }
            return digest;
        });
    }

    private static String source(String name, int seed) {
        return "package generated\n\ntrait Show" + name + "[A] { def show(a: A): String }\n\ncase class " + name + "(id: Int, label: String = \"" + seed
            + "\", next: Option[" + name + "] = None) {\n  lazy val numbers: List[Int] = for { i <- (0 to 10).toList; if i % 3 != 0 } yield i * " + seed + " + id\n"
            + "  def describe(x: Any): String = x match {\n    case null => \"nothing\"\n    case i: Int if i > 0 => s\"int ${i + 1}\"\n    case " + name
            + "(_, l, Some(n)) => l + n.label\n    case xs: Seq[_] => xs.map(describe).mkString(\",\")\n    case other => other.toString\n  }\n"
            + "  def +(o: " + name + "): " + name + " = copy(id = id + o.id, next = Some(o))\n}\n\nobject " + name + " {\n  implicit val show: Show" + name + "[" + name
            + "] = (a: " + name + ") => a.label\n  def render[A](a: A)(implicit s: Show" + name + "[A]): String = s.show(a)\n"
            + "  def total(xs: List[" + name + "]): Int = xs.foldLeft(0)((n, x) => n + x.id)\n}\n";
    }
}
