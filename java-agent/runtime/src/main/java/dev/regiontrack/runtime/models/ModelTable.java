package dev.regiontrack.runtime.models;

import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Spliterator;
import java.util.stream.BaseStream;

/**
 * The table of models: what calls of the platform's library do, by class and method. The bridge has read and checked the text: lines
 * {@code class NAME..}, {@code group NAME}, {@code like GROUP}, {@code EFFECT METHOD..}, in which a method is a name, or {@code name/parameters}; one
 * space between words. Lines {@code CALL METHOD..} follow {@code arguments CLASS..}: a constructor, {@code new}, or static method does with its
 * argument what that call of the argument does; {@code METHOD} is {@code name/parameters}, and {@code @position} if it is not the first argument.
 * Methods of objects follow {@code passing CLASS..} in the same way; they do that in addition to what they do with their receiver. {@code CALL} can
 * have a condition on the method's result.
 */
public final class ModelTable {
    /** The groups of the views of collections, some of which belong to concurrent maps. */
    private static final String KEY_VIEW = "key-view";
    private static final Set<String> VIEWS = Set.of("view", "iterator", "stream", KEY_VIEW);
    private static final String READ = "read";
    /** The number of parts of a class's name that identify its library. */
    private static final int PACKAGE = 3;
    /** The first words of lines that name no methods. */
    private static final Set<String> HEADERS = Set.of("class", "group", "like", "arguments", "passing");
    /** The effect on an argument of passing it on to the same method of the object inside the receiver. */
    static final Argument[] INSIDE = {};
    /** Separates the class from a method that has a receiver. */
    private static final String RECEIVER = "#";

    /** Methods of maps that are given values, or may return one that they are given. */
    private static final Set<String> TELLING = Set.of("put", "putIfAbsent", "replace", "remove", "getOrDefault");

    private static Map<String, List<Map<String, Effect>>> classes = Map.of();
    /** By class and method: the results that mean that the number of keys has changed. */
    private static Map<String, Map<String, Effect.When>> counts = Map.of();
    private static Map<String, Map<String, Effect>> groups = Map.of();
    /** The classes of views that also have entries of their own. */
    private static Set<String> viewClasses = Set.of();
    private static Map<String, String> names = Map.of();
    /** Names of methods that only classes of libraries with shipped models have. */
    private static Set<String> ofLibraries = Set.of();
    /** The first parts of the names of libraries' packages, such as {@code com.google.common.}. */
    private static Set<String> libraries = Set.of();
    /** Whether interfaces can be in the table, because it has more than the platform's. */
    private static boolean hasInterfaces;
    /** The names of methods that can return a view. */
    private static Set<String> viewing = Set.of();
    /** The names of methods whose effect depends on the number that they return. */
    private static Set<String> numbers = Set.of();
    /** Final classes in the table. */
    private static final Set<String> FINAL = Set.of("java.lang.StringBuilder", "java.lang.StringBuffer");
    /** The names of methods that only these and entries of the platform's maps have. */
    private static Set<String> ofFinal = Set.of();
    /** By name of a method that waits, is one of a lock or hands something over: the classes that have it, and those above them. */
    private static final Map<String, Set<String>> joining = new HashMap<>();
    /**
     * By class, constructor or static method, and number of parameters: what such a call does with one of its arguments. By class and method of an
     * object: the same.
     */
    private static Map<String, List<Argument>> arguments = Map.of();
    /** By method of an object and number of parameters: the position of the argument on which some class's method also acts. */
    private static Map<String, Integer> positions = Map.of();
    private static final Map<String, Integer> METHODS = new HashMap<>();
    private static String[] methods = new String[64];
    /** By the same number. A thread that has the number sees the entry. */
    private static volatile KeyStep[] steps = new KeyStep[64];

    private ModelTable() {
    }

    /** A call's effect on one of its arguments: that of a call of the argument. */
    public static final class Argument {
        /** The argument's position, from 0. */
        public final int position;
        /** The number of the method of that call, from {@link ModelTable#method}. */
        public final int method;
        /** The results that mean that the call has the effect. */
        final Effect.When when;

        private Argument(int position, int method, Effect.When when) {
            this.position = position;
            this.method = method;
            this.when = when;
        }

        /** Whether the effect is certain only if the call has returned true. */
        public boolean isIfTrue() {
            return when == Effect.When.TRUE;
        }
    }

    /**
     * Loads the table of the platform, that of libraries and that of the user, which overrides the others. Must be called before
     * {@link dev.regiontrack.runtime.bridge.Session#arm}.
     */
    public static void load(String platform, String libraries, String own) {
        load(platform + libraries + own);
        ModelTable.libraries = packagesIn(libraries);
        hasInterfaces = !libraries.isEmpty() || !own.isEmpty();
        if (!libraries.isEmpty()) {
            ofLibraries = methodsIn(libraries);
            ofLibraries.removeAll(methodsIn(platform + own));
        }
    }

    /** Returns the first three parts of the names of the classes in a table. */
    private static Set<String> packagesIn(String text) {
        Set<String> found = new HashSet<>();
        for (String line : text.split("\n")) {
            String[] words = line.split(" ");
            for (int i = words[0].equals("class") ? 1 : words.length; i < words.length; i++) {
                int end = -1;
                for (int parts = 0; parts < PACKAGE; parts++) {
                    end = words[i].indexOf('.', end + 1);
                }
                found.add(words[i].substring(0, end + 1));
            }
        }
        return found;
    }

    /** Returns the names of the methods that a table names. */
    private static Set<String> methodsIn(String text) {
        Set<String> found = new HashSet<>();
        for (String line : text.split("\n")) {
            String[] words = line.split(" ");
            for (int i = HEADERS.contains(words[0]) ? words.length : 1; i < words.length; i++) {
                int slash = words[i].indexOf('/');
                found.add(slash < 0 ? words[i] : words[i].substring(0, slash));
            }
        }
        return found;
    }

    /** Loads a table without entries of libraries. */
    public static void load(String text) {
        ofLibraries = Set.of();
        libraries = Set.of();
        hasInterfaces = false;
        Map<String, List<Map<String, Effect>>> byClass = new HashMap<>();
        Map<String, Map<String, Effect>> named = new HashMap<>();
        Map<String, String> all = new HashMap<>();
        Set<String> viewers = new HashSet<>();
        Set<String> counters = new HashSet<>();
        Set<String> entered = new HashSet<>();
        Set<String> others = new HashSet<>();
        List<List<Map<String, Effect>>> open = new ArrayList<>();
        Map<String, Map<String, Effect.When>> counting = new HashMap<>();
        Set<String> likeViews = new HashSet<>();
        Map<String, List<Argument>> passed = new HashMap<>();
        Map<String, Integer> positioned = new HashMap<>();
        String before = ".";
        List<String> passing = List.of();
        List<String> owners = List.of();
        Map<String, Effect> into = null;
        for (String line : text.split("\n")) {
            String[] words = line.split(" ");
            if (words[0].equals("arguments") || words[0].equals("passing")) {
                before = words[0].equals("passing") ? RECEIVER : ".";
                passing = java.util.Arrays.asList(words).subList(1, words.length);
                into = null;
                open = new ArrayList<>();
                owners = List.of();
            } else if (words[0].equals("group")) {
                passing = List.of();
                into = new HashMap<>();
                named.put(words[1], into);
                open = new ArrayList<>();
                owners = List.of();
            } else if (words[0].equals("class")) {
                into = new HashMap<>();
                passing = List.of();
                open = new ArrayList<>();
                owners = java.util.Arrays.asList(words).subList(1, words.length);
                for (int i = 1; i < words.length; i++) {
                    List<Map<String, Effect>> maps = byClass.containsKey(words[i]) ? byClass.get(words[i]) : new ArrayList<>();
                    byClass.put(words[i], maps);
                    // Later lines come first, so that a file can replace what is shipped.
                    maps.add(0, into);
                    open.add(maps);
                }
            } else if (!passing.isEmpty()) {
                for (String owner : passing) {
                    for (int i = 1; i < words.length; i++) {
                        int at = words[i].indexOf('@');
                        int position = at < 0 ? 0 : Integer.parseInt(words[i].substring(at + 1)) - 1;
                        String call = at < 0 ? words[i] : words[i].substring(0, at);
                        passed.putIfAbsent(owner + before + call, new ArrayList<>());
                        passed.get(owner + before + call).add(argument(words[0], position));
                        if (before.equals(RECEIVER)) {
                            positioned.put(call, position);
                        }
                    }
                }
            } else if (words[0].equals("like")) {
                Map<String, Effect> group = named.get(words[1]);
                if (VIEWS.contains(words[1])) {
                    likeViews.addAll(owners);
                }
                for (List<Map<String, Effect>> maps : open) {
                    maps.add(group);
                }
                for (Map.Entry<String, Effect> entry : open.isEmpty() ? group.entrySet() : Set.<Map.Entry<String, Effect>>of()) {
                    into.putIfAbsent(entry.getKey(), entry.getValue());
                }
            } else if (Effect.counting(words[0]) != null) {
                for (String owner : owners) {
                    counting.putIfAbsent(owner, new HashMap<>());
                    for (int i = 1; i < words.length; i++) {
                        counting.get(owner).put(words[i], Effect.counting(words[0]));
                    }
                }
            } else if (into != null) {
                Effect effect = Effect.of(words[0]);
                boolean isOfView = effect.kind == Effect.Kind.VIEW || effect.kind == Effect.Kind.ITERATE;
                boolean isOfFinal = effect.part == Effect.Part.ENTRY || effect.part == Effect.Part.OWNER || !owners.isEmpty() && FINAL.containsAll(owners);
                Set<String> those = isOfFinal ? entered : others;
                String kind = siteOf(effect);
                // The site of a lock or of a wait is in addition to those of a read and a write.
                boolean isFirst = !kind.equals(READ);
                for (int i = 1; i < words.length; i++) {
                    into.put(words[i], effect);
                    int slash = words[i].indexOf('/');
                    String name = slash < 0 ? words[i] : words[i].substring(0, slash);
                    if (isOfView) {
                        viewers.add(name);
                    }
                    if (effect.when == Effect.When.NONZERO) {
                        counters.add(name);
                    }
                    those.add(name);
                    if (isFirst) {
                        all.put(name, kind);
                    } else {
                        all.putIfAbsent(name, kind);
                    }
                }
            }
        }
        classes = byClass;
        arguments = passed;
        // The sites of a lock or of a wait are where those of an argument would be.
        positioned.keySet().removeIf(call -> !READ.equals(all.get(call.substring(0, call.indexOf('/')))));
        positions = positioned;
        counts = counting;
        groups = named;
        viewClasses = likeViews;
        names = all;
        viewing = viewers;
        numbers = counters;
        entered.removeAll(others);
        ofFinal = entered;
    }

    private static Argument argument(String word, int position) {
        int at = word.indexOf("-if-");
        return new Argument(position, method(described(at < 0 ? word : word.substring(0, at))), at < 0 ? Effect.When.ALWAYS : Effect.When.of(word.substring(at + 4)));
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

    /**
     * Returns what a constructor, {@code new}, or a static method of the class with this name, with dots, does with an argument; null if the table
     * does not say.
     */
    public static Argument argument(String owner, String name, int parameters) {
        List<Argument> found = arguments.get(owner + '.' + name + '/' + parameters);
        return found == null ? null : found.get(0);
    }

    /** Returns what a method of an object of the class with this name does with an argument, in the table's order; null if the table does not say. */
    static Argument[] passed(String owner, String name, int parameters) {
        List<Argument> found = arguments.get(owner + RECEIVER + name + '/' + parameters);
        return found == null ? null : found.toArray(new Argument[0]);
    }

    /** Returns the position of the argument on which methods of objects with this name can also act; -1 if there is none. */
    public static int position(String name, int parameters) {
        return positions.getOrDefault(name + '/' + parameters, -1);
    }

    /** Whether an argument of a type with this descriptor can be an object with a model. */
    public static boolean canHaveModel(String descriptor) {
        return descriptor.charAt(0) == 'L' && !descriptor.equals("Ljava/lang/String;");
    }

    /** Returns the kind of the site for a call with this effect. */
    private static String siteOf(Effect effect) {
        switch (effect.kind) {
            case ACQUIRE: case RELEASE: return "monitor";
            case AWAIT: return "wait";
            default: return effect.waits ? "wait" : READ;
        }
    }

    /** Returns the kind of the site for a call of a method with this name; null if no class has a model for it. */
    public static String kind(String name) {
        return names.get(name);
    }

    /**
     * Whether a call of a method with this name may wait, be one of a lock, or hand something over, if its receiver is declared as this class or
     * interface of the platform, with dots; for others that is unknown. Such calls interact with other calls, also on other objects and at other
     * places: all of them have hooks or none.
     */
    public static boolean canJoin(String owner, String name) {
        if (!owner.startsWith("java.") || owner.startsWith("java.util.concurrent.") && !classes.containsKey(owner)) {
            return names.containsKey(name);
        }
        Set<String> known = joining.get(name);
        return known != null && known.contains(owner);
    }

    /** Collects those classes and interfaces, and all above them; loads classes, so it must be called before the instrumenter is. */
    public static void findJoining() {
        for (Map.Entry<String, List<Map<String, Effect>>> entry : classes.entrySet()) {
            for (Map<String, Effect> methods : entry.getValue()) {
                for (Map.Entry<String, Effect> method : methods.entrySet()) {
                    if (!siteOf(method.getValue()).equals(READ) || method.getValue().isOfQueue || method.getValue().gives()) {
                        int slash = method.getKey().indexOf('/');
                        addJoining(slash < 0 ? method.getKey() : method.getKey().substring(0, slash), entry.getKey());
                    }
                }
            }
        }
    }

    private static void addJoining(String method, String owner) {
        Set<String> known = joining.get(method);
        if (known == null) {
            known = new HashSet<>();
            joining.put(method, known);
        }
        known.add(owner);
        try {
            addAbove(Class.forName(owner, false, null), known);
        } catch (ClassNotFoundException | LinkageError e) {
            // Not of the platform, or not of this one.
        }
    }

    private static void addAbove(Class<?> type, Set<String> into) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            into.add(c.getName());
            for (Class<?> above : c.getInterfaces()) {
                addAbove(above, into);
            }
        }
    }

    /** Whether the effect of a method with this name depends on the number that it returns. */
    public static boolean dependsOnNumber(String name) {
        return numbers.contains(name);
    }

    /** Whether only classes that no class of the program extends have a model for a method with this name. */
    public static boolean isOfFinal(String name) {
        return ofFinal.contains(name);
    }

    /** Whether a method with this name can return a view of its receiver. */
    public static boolean canReturnView(String name) {
        return viewing.contains(name);
    }

    /**
     * Returns the number by which hooks name a method: its name and descriptor, after a class and a space if the call is one of that class's own
     * method.
     */
    public static synchronized int method(String method) {
        Integer known = METHODS.get(method);
        if (known != null) {
            return known;
        }
        int number = METHODS.size();
        if (number == methods.length) {
            methods = java.util.Arrays.copyOf(methods, 2 * number);
            steps = java.util.Arrays.copyOf(steps, 2 * number);
        }
        methods[number] = method;
        steps[number] = KeyStep.of(method);
        METHODS.put(method, number);
        return number;
    }

    /** Whether this is the name of a method of maps whose values tell the order of its calls. */
    public static boolean tellsOrder(String method) {
        return TELLING.contains(method);
    }

    /** Returns what a method does with a key. */
    static KeyStep step(int method) {
        return steps[method];
    }

    static synchronized String name(int method) {
        return methods[method];
    }

    /** Returns the effect of a method that a class of the platform has or inherits from its class; null if the table does not say. */
    static Effect of(Class<?> c, String name, int parameters) {
        List<Map<String, Effect>> maps = classes.get(c.getName());
        for (int i = 0; maps != null && i < maps.size(); i++) {
            Effect found = of(maps.get(i), name, parameters);
            if (found != null) {
                Map<String, Effect.When> counted = counts.getOrDefault(c.getName(), Map.of());
                Effect.When when = counted.getOrDefault(name + '/' + parameters, counted.get(name));
                Effect effect = when == null || found == Effect.NONE ? found : found.counting(when);
                return name.equals("remove") && effect.part != Effect.Part.WHOLE ? effect.removing() : effect;
            }
        }
        return null;
    }

    /** The same for a view of a collection: an iterator, a stream, or another one. */
    static Effect ofView(Class<?> view, String name, int parameters) {
        boolean isIterator = Iterator.class.isAssignableFrom(view) || Enumeration.class.isAssignableFrom(view) || Spliterator.class.isAssignableFrom(view);
        String group = isIterator ? "iterator" : BaseStream.class.isAssignableFrom(view) ? "stream" : Map.class.isAssignableFrom(view) ? "map" : "view";
        return of(groups.getOrDefault(group, Map.of()), name, parameters);
    }

    private static Effect of(Map<String, Effect> map, String name, int parameters) {
        Effect exact = map.get(name + '/' + parameters);
        return exact != null ? exact : map.get(name);
    }

    /** Whether the class with this name, with dots, is named as one of views. */
    static boolean isView(String name) {
        return viewClasses.contains(name);
    }

    /** Whether objects of this class have a variable only if they are views: those of classes that are not named, or named as views. */
    static boolean canBeView(String name) {
        return viewClasses.contains(name) || !hasModel(name);
    }

    /**
     * Returns the effect that a method has by the interfaces of a class: first those of the class itself, in its order, each before those that it
     * extends, then those of its superclass.
     */
    static Effect ofInterfaces(Class<?> type, String name, int parameters) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Class<?> i : c.getInterfaces()) {
                Effect own = of(i, name, parameters);
                Effect found = own != null ? own : ofInterfaces(i, name, parameters);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** The nearest of the class and its superclasses that stands in the table, otherwise the first of its interfaces; null if none does. */
    static Class<?> nearest(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (hasModel(c.getName())) {
                return c;
            }
        }
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Class<?> i : c.getInterfaces()) {
                Class<?> found = nearest(i);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /**
     * Whether the class of the platform with this name, with dots, or one above it is in the table. Loads the class, possibly inside a
     * transformation; a class that must have hooks of its own must be loaded before.
     */
    public static boolean extendsModel(String name) {
        if (name.equals("java.lang.Object")) {
            return false;
        }
        try {
            return nearest(Class.forName(name, false, ClassLoader.getPlatformClassLoader())) != null;
        } catch (ClassNotFoundException | LinkageError e) {
            // The class that extends it will throw.
            return true;
        }
    }

    /** Whether the interface of the platform with this name, with dots, is one that classes in the table have. */
    public static boolean isOfModels(String name) {
        return name.equals("java.lang.Iterable") || name.startsWith("java.util.") && !name.startsWith("java.util.function.");
    }

    /** Whether interfaces can be in the table. */
    public static boolean hasInterfaces() {
        return hasInterfaces;
    }

    /** Whether only classes of libraries with shipped models have a method with this name. */
    public static boolean isOfLibraries(String name) {
        return ofLibraries.contains(name);
    }

    /** Whether the class with this name, with dots, belongs to a library with shipped models. */
    public static boolean isOfLibrary(String name) {
        for (String library : libraries) {
            if (name.startsWith(library)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the class with this name, with dots, is in the table. */
    public static boolean hasModel(String name) {
        return classes.containsKey(name);
    }
}
