package dev.regiontrack.runtime.models;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A section of the table of models: the lines after one that names a group, or classes. They are read when they are first needed; several threads can
 * do so.
 */
final class TableSection {
    /** The first words of lines that begin a section. */
    private static final Set<String> HEADERS = Set.of("class", "group", "arguments", "passing");

    /** The words of all tables, a null after each line; the section's first word. */
    private final String[] words;
    private final int first;
    /** The groups whose entries the section has, too, if it is a group. */
    private final List<TableSection> others = new ArrayList<>(0);
    private volatile Map<String, Effect> effects;
    private volatile Map<String, List<ModelTable.Argument>> passed;

    TableSection(String[] words, int first) {
        this.words = words;
        this.first = first;
    }

    /** Adds the entries of another group, after its own. */
    void addAll(TableSection group) {
        others.add(group);
    }

    /** Returns the index after the last word of a line. */
    static int end(String[] words, int start) {
        int end = start;
        while (words[end] != null) {
            end++;
        }
        return end;
    }

    /** Returns {@code name/parameters} of an entry that can say the position of an argument. */
    static String callIn(String word) {
        int at = word.indexOf('@');
        return at < 0 ? word : word.substring(0, at);
    }

    /** Returns the position of the argument, from 0. */
    static int positionIn(String word) {
        int at = word.indexOf('@');
        return at < 0 ? 0 : Integer.parseInt(word.substring(at + 1)) - 1;
    }

    /** Returns the effect of a method; null if the section does not say. */
    Effect of(String name, int parameters) {
        Map<String, Effect> all = effects();
        Effect exact = all.get(name + '/' + parameters);
        return exact != null ? exact : all.get(name);
    }

    /** Returns the effects by method, a name or {@code name/parameters}. */
    Map<String, Effect> effects() {
        Map<String, Effect> known = effects;
        if (known == null) {
            known = read();
            effects = known;
        }
        return known;
    }

    private Map<String, Effect> read() {
        Map<String, Effect> read = new HashMap<>();
        for (int start = first; isInside(start); start = end(words, start) + 1) {
            // What counts keys or names a group is known.
            Effect effect = words[start].equals("like") || Effect.counting(words[start]) != null ? null : Effect.of(words[start]);
            for (int i = start + 1; effect != null && words[i] != null; i++) {
                read.put(words[i], effect);
            }
        }
        for (TableSection other : others) {
            for (Map.Entry<String, Effect> entry : other.effects().entrySet()) {
                read.putIfAbsent(entry.getKey(), entry.getValue());
            }
        }
        return read;
    }

    /** Returns what a call, {@code name/parameters}, does with its arguments, in the table's order; null if the section does not say. */
    Collection<ModelTable.Argument> passed(String call) {
        Map<String, List<ModelTable.Argument>> known = passed;
        if (known == null) {
            known = readPassed();
            passed = known;
        }
        return known.get(call);
    }

    private Map<String, List<ModelTable.Argument>> readPassed() {
        Map<String, List<ModelTable.Argument>> read = new HashMap<>();
        for (int start = first; isInside(start); start = end(words, start) + 1) {
            for (int i = start + 1; words[i] != null; i++) {
                List<ModelTable.Argument> does = read.get(callIn(words[i]));
                if (does == null) {
                    does = new ArrayList<>(1);
                    read.put(callIn(words[i]), does);
                }
                does.add(argument(words[start], positionIn(words[i])));
            }
        }
        return read;
    }

    private boolean isInside(int start) {
        return start < words.length && words[start] != null && !HEADERS.contains(words[start]);
    }

    private static ModelTable.Argument argument(String word, int position) {
        int at = word.indexOf("-if-");
        Effect.When when = at < 0 ? Effect.When.ALWAYS : Effect.When.of(word.substring(at + 4));
        return new ModelTable.Argument(position, ModelTable.method(described(at < 0 ? word : word.substring(0, at))), when);
    }

    /** Returns {@code name/parameters} as name and descriptor; parameters are objects. */
    private static String described(String call) {
        int slash = call.indexOf('/');
        StringBuilder text = new StringBuilder(call.substring(0, slash)).append('(');
        for (int i = Integer.parseInt(call.substring(slash + 1)); i > 0; i--) {
            text.append("Ljava/lang/Object;");
        }
        return text.append(")V").toString();
    }
}
