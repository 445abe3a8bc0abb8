package dev.regiontrack.plugins;

import static org.junit.Assert.assertEquals;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The sources whose lines a merged report shows. */
public class SourcesTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private List<String> below(String... paths) {
        return Stream.of(paths).map(path -> new File(folder.getRoot(), path).getPath()).collect(Collectors.toList());
    }

    private Sources ofModules(String options) {
        File prices = new File(folder.getRoot(), "prices");
        File orders = new File(folder.getRoot(), "orders");
        return new Sources(options).module(prices, List.of(new File(prices, "java"), new File(prices, "made"))).module(orders, List.of());
    }

    @Test
    public void the_folders_of_the_modules_that_are_there_count_unless_the_option_names_others() throws IOException {
        assertEquals(List.of(), ofModules(null).folders());
        for (String path : List.of("prices/java", "prices/src/main/kotlin", "orders/src/test/java", "orders/other")) {
            folder.newFolder(path.split("/"));
        }
        List<String> usual = below("prices/java", "prices/src/main/kotlin", "prices/src", "orders/src/test/java", "orders/src");
        assertEquals(usual, ofModules(null).folders());
        assertEquals(usual, ofModules("arrays=all,own=sources").folders());
    }

    @Test
    public void the_option_counts_from_the_folder_of_each_module() {
        String elsewhere = new File(folder.getRoot(), "elsewhere").getPath();
        assertEquals(below("prices/other", "elsewhere", "orders/other"), ofModules("arrays=all, sources=other: " + elsewhere).folders());
        assertEquals(below("prices/b", "orders/b"), ofModules("sources=a,sources=b").folders());
        assertEquals(List.of("none"), ofModules("sources=none").folders());
    }
}
