package programs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import net.sourceforge.pmd.PMDConfiguration;
import net.sourceforge.pmd.PmdAnalysis;
import net.sourceforge.pmd.reporting.Report;

/** PMD: analyses generated sources with threads of its own. */
public final class PmdAnalyser {
    private PmdAnalyser() {
    }

    /** The arguments are threads and classes to analyse. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createDirectories(Path.of("sources"));
        for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
            Files.writeString(folder.resolve("C" + i + ".java"), Sources.javaClass("C" + i, i));
        }
        PMDConfiguration configuration = new PMDConfiguration();
        configuration.setThreads(Integer.parseInt(arguments[0]));
        configuration.setIgnoreIncrementalAnalysis(true);
        configuration.addInputPath(folder);
        List.of("bestpractices", "codestyle", "design", "errorprone", "performance").forEach(
            rules -> configuration.addRuleSet("category/java/" + rules + ".xml"));
        try (PmdAnalysis analysis = PmdAnalysis.create(configuration)) {
            Report report = analysis.performAnalysisAndCollectReport();
            TreeSet<String> lines = new TreeSet<>();
            report.getViolations().forEach(found -> lines.add(found.getFileId().getFileName() + ":" + found.getBeginLine() + ": " + found.getRule().getName()));
            Digest digest = new Digest();
            lines.forEach(digest::add);
            System.out.println(report.getViolations().size() + " violations, " + report.getProcessingErrors().size() + " errors, " + digest);
        }
    }
}
