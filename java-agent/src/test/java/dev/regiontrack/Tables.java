package dev.regiontrack;

import dev.regiontrack.runtime.models.ModelTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Tables of models as texts. */
public final class Tables {
    private Tables() {
    }

    /** Loads a table of the platform. */
    public static void load(String platform) {
        load(platform, "", "");
    }

    /** Loads tables of the platform, of libraries and of the user. */
    public static void load(String... tables) {
        List<String> words = new ArrayList<>();
        for (String table : tables) {
            for (String line : table.isEmpty() ? new String[0] : table.split("\n")) {
                Collections.addAll(words, line.split(" "));
                words.add(null);
            }
            words.add(null);
        }
        ModelTable.load(words.toArray(new String[0]));
    }
}
