package dev.regiontrack.runtime.models;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import dev.regiontrack.Tables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.Test;

/** The table, of which most is read when it is first needed, says what the plainest reading of the whole text says. */
public class ModelTableTest {
    /** What the user's table adds, replaces, and names for the first time. */
    private static final String OWN = "group own\nread look\nlike list\nclass java.util.ArrayList\nwrite get\nlike own\nclass java.util.BitSet\nlike own\nclass com.acme.Pool java.util.HashMap\n"
        + "acquire-if-true tryTake\nview all\ncounts-if-true put\narguments java.util.ArrayList com.acme.Pools\nsize/0 new/1 of/2@2\npassing java.util.ArrayList\n"
        + "forEach/1-if-true addAll/1\nsize/0 addAll/2@2\n";

    private static final Set<String> FINAL = Set.of("java.lang.StringBuilder", "java.lang.StringBuffer");

    /** What a table says: an effect as its word. */
    private static final class Plain {
        final Map<String, List<Map<String, String>>> byClass = new HashMap<>();
        final Map<String, Map<String, String>> groups = new HashMap<>();
        /** By name of a method, the words of its effects; without entries if it only counts keys or acts on arguments. */
        final Map<String, List<String>> words = new HashMap<>();
        /** Whether all its lines are of final classes or of entries of maps. */
        final Map<String, Boolean> isOfFinal = new HashMap<>();
        final Set<String> outside = new HashSet<>();
        final Map<String, List<String>> passed = new LinkedHashMap<>();
        final Map<String, Integer> positions = new HashMap<>();
        final Map<String, Map<String, String>> counts = new HashMap<>();
        private Map<String, String> into;
        private List<List<Map<String, String>>> open = List.of();
        private List<String> named = List.of();
        private String separator;

        void read(String text, boolean isOfLibraries) {
            for (String line : text.isEmpty() ? new String[0] : text.split("\n")) {
                String[] words = line.split(" ");
                List<String> rest = List.of(words).subList(1, words.length);
                switch (words[0]) {
                    case "arguments": case "passing": begin(null, rest); separator = words[0].equals("passing") ? "#" : "."; break;
                    case "group": begin(groups.computeIfAbsent(rest.get(0), name -> new LinkedHashMap<>()), List.of()); break;
                    case "class": begin(new LinkedHashMap<>(), rest); beginClasses(); break;
                    case "like": like(groups.get(rest.get(0))); break;
                    default: rest.forEach(method -> entry(words[0], method, isOfLibraries));
                }
            }
        }

        private void begin(Map<String, String> entries, List<String> classes) {
            into = entries;
            named = classes;
            open = List.of();
            separator = null;
        }

        private void beginClasses() {
            open = new ArrayList<>();
            for (String name : named) {
                open.add(byClass.computeIfAbsent(name, key -> new ArrayList<>()));
                byClass.get(name).add(0, into);
            }
        }

        private void like(Map<String, String> group) {
            open.forEach(maps -> maps.add(group));
            if (open.isEmpty()) {
                group.forEach(into::putIfAbsent);
            }
        }

        private void entry(String word, String method, boolean isOfLibraries) {
            String name = method.split("/")[0];
            if (!isOfLibraries) {
                outside.add(name);
            }
            words.putIfAbsent(name, new ArrayList<>());
            if (separator != null) {
                String call = method.split("@")[0];
                int position = method.contains("@") ? Integer.parseInt(method.split("@")[1]) - 1 : 0;
                for (String owner : named) {
                    passed.computeIfAbsent(owner + separator + call, key -> new ArrayList<>()).add(word + '@' + position);
                }
                if (separator.equals("#")) {
                    positions.put(call, position);
                }
            } else if (word.startsWith("counts-if-")) {
                named.forEach(owner -> counts.computeIfAbsent(owner, key -> new HashMap<>()).put(method, word.substring(10)));
            } else {
                into.put(method, word);
                words.get(name).add(word);
                boolean isOfEntry = word.startsWith("entry-") || word.startsWith("owner-");
                isOfFinal.merge(name, isOfEntry || !named.isEmpty() && FINAL.containsAll(named), Boolean::logicalAnd);
            }
        }

        String of(String type, String name, int parameters) {
            for (Map<String, String> map : byClass.getOrDefault(type, List.of())) {
                String exact = map.getOrDefault(name + '/' + parameters, map.get(name));
                if (exact != null) {
                    return exact;
                }
            }
            return null;
        }
    }

    private static String shipped(Path file) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line : Files.readAllLines(file)) {
            String entry = line.replaceFirst("#.*", "").trim().replaceAll("\\s+", " ");
            text.append(entry.isEmpty() ? "" : entry + "\n");
        }
        return text.toString();
    }

    /** Loads all tables; returns their plainest reading. */
    private static Plain load() throws IOException {
        Path file = Path.of(System.getProperty("regiontrack.models"));
        String platform = shipped(file);
        String libraries = shipped(file.resolveSibling("models/caffeine.txt")) + shipped(file.resolveSibling("models/guava.txt"));
        Tables.load(platform, libraries, OWN);
        Plain plain = new Plain();
        plain.read(platform, false);
        plain.read(libraries, true);
        plain.read(OWN, false);
        return plain;
    }

    /** The last that is no read wins. */
    private static String kind(List<String> words) {
        String last = null;
        for (String word : words) {
            Effect effect = Effect.of(word);
            boolean isOfLock = effect.kind == Effect.Kind.ACQUIRE || effect.kind == Effect.Kind.RELEASE;
            boolean waits = effect.waits || effect.kind == Effect.Kind.AWAIT;
            last = isOfLock ? "monitor" : waits ? "wait" : last == null ? "read" : last;
        }
        return last;
    }

    private static void assertSame(String where, String word, Effect found) {
        if (word == null) {
            assertNull(where, found);
            return;
        }
        Effect expected = Effect.of(word);
        assertEquals(where, expected.kind, found.kind);
        assertEquals(where, expected.part, found.part);
        assertEquals(where, expected.when, found.when);
        assertEquals(where, expected.waits, found.waits);
    }

    @Test
    public void methods_of_classes_do_what_the_text_says() throws Exception {
        Plain plain = load();
        int classes = 0;
        for (String type : plain.byClass.keySet()) {
            assertTrue(type, ModelTable.hasModel(type));
            Class<?> c;
            try {
                c = Class.forName(type, false, null);
            } catch (ClassNotFoundException e) {
                // Of a library, or not of this JVM.
                continue;
            }
            classes++;
            for (String name : plain.words.keySet()) {
                for (int parameters = 0; parameters < 5; parameters++) {
                    String where = type + '.' + name + '/' + parameters;
                    String word = plain.of(type, name, parameters);
                    Effect found = ModelTable.of(c, name, parameters);
                    assertSame(where, word, found);
                    Map<String, String> counted = plain.counts.getOrDefault(type, Map.of());
                    String when = counted.getOrDefault(name + '/' + parameters, counted.get(name));
                    assertEquals(where, word == null || when == null || found == Effect.NONE ? null : Effect.When.of(when), found == null ? null : found.counts);
                }
            }
        }
        assertTrue("" + classes, classes > 100);
        assertFalse(ModelTable.hasModel("com.acme.Other"));
    }

    @Test
    public void names_of_methods_are_what_the_text_says_of_all_classes() throws Exception {
        Plain plain = load();
        for (Map.Entry<String, List<String>> entry : plain.words.entrySet()) {
            String name = entry.getKey();
            List<String> words = entry.getValue();
            assertEquals(name, kind(words), ModelTable.kind(name));
            assertEquals(name, words.stream().map(Effect::of).anyMatch(e -> e.kind == Effect.Kind.VIEW || e.kind == Effect.Kind.ITERATE), ModelTable.canReturnView(name));
            assertEquals(name, words.stream().anyMatch(word -> word.endsWith("-if-nonzero")), ModelTable.dependsOnNumber(name));
            assertEquals(name, !plain.outside.contains(name), ModelTable.isOfLibraries(name));
            assertEquals(name, plain.isOfFinal.getOrDefault(name, false), ModelTable.isOfFinal(name));
        }
        assertTrue(plain.isOfFinal.containsValue(true) && !plain.outside.containsAll(plain.words.keySet()));
        assertTrue(ModelTable.hasInterfaces());
        assertNull(ModelTable.kind("println"));
    }

    @Test
    public void calls_act_on_the_arguments_that_the_text_says() throws Exception {
        Plain plain = load();
        for (Map.Entry<String, List<String>> entry : plain.passed.entrySet()) {
            String owner = entry.getKey().split("[.#](?=[^.#]*$)")[0];
            String[] call = entry.getKey().substring(owner.length() + 1).split("/");
            int parameters = Integer.parseInt(call[1]);
            boolean isPassing = entry.getKey().charAt(owner.length()) == '#';
            ModelTable.Argument first = ModelTable.argument(owner, call[0], parameters);
            ModelTable.Argument[] found = isPassing ? ModelTable.passed(owner, call[0], parameters) : new ModelTable.Argument[] {first};
            List<String> expected = isPassing ? entry.getValue() : entry.getValue().subList(0, 1);
            List<String> all = new ArrayList<>();
            for (ModelTable.Argument argument : found) {
                String method = ModelTable.name(argument.method);
                int count = method.split("Ljava/lang/Object;", -1).length - 1;
                String condition = argument.when == Effect.When.ALWAYS ? "" : "-if-" + argument.when.name().toLowerCase(java.util.Locale.ROOT);
                all.add(method.substring(0, method.indexOf('(')) + '/' + count + condition + '@' + argument.position);
            }
            assertEquals(entry.getKey(), expected, all);
        }
        for (Map.Entry<String, Integer> entry : plain.positions.entrySet()) {
            String[] call = entry.getKey().split("/");
            int expected = "read".equals(ModelTable.kind(call[0])) ? entry.getValue() : -1;
            assertEquals(entry.getKey(), expected, ModelTable.position(call[0], Integer.parseInt(call[1])));
        }
        assertEquals(0, ModelTable.argument("com.acme.Pools", "new", 1).position);
        assertEquals(1, ModelTable.argument("com.acme.Pools", "of", 2).position);
        assertEquals(-1, ModelTable.position("println", 1));
        assertNull(ModelTable.argument("com.acme.Pools", "of", 1));
    }

    @Test
    public void views_do_what_their_groups_say() throws Exception {
        Plain plain = load();
        Class<?> view = new HashMap<String, String>().keySet().getClass();
        Class<?> iterator = new HashMap<String, String>().keySet().iterator().getClass();
        for (String name : plain.words.keySet()) {
            for (int parameters = 0; parameters < 3; parameters++) {
                for (Class<?> c : new Class<?>[] {view, iterator}) {
                    Map<String, String> group = plain.groups.get(c == view ? "view" : "iterator");
                    String word = group.getOrDefault(name + '/' + parameters, group.get(name));
                    assertSame(c + "." + name + '/' + parameters, word, ModelTable.ofView(c, name, parameters));
                }
            }
        }
    }
}
