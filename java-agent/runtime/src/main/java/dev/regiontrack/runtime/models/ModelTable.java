package dev.regiontrack.runtime.models;

import java.util.ArrayList;
import java.util.Collection;
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
 * {@code class NAME..}, {@code group NAME}, {@code like GROUP}, {@code EFFECT METHOD..}, in which a method is a name, or {@code name/parameters}.
 * Lines {@code CALL METHOD..} follow {@code arguments CLASS..}: a constructor, {@code new}, or static method does with its
 * argument what that call of the argument does; {@code METHOD} is {@code name/parameters}, and {@code @position} if it is not the first argument.
 * Methods of objects follow {@code passing CLASS..} in the same way; they do that in addition to what they do with their receiver. {@code CALL} can
 * have a condition on the method's result.
 *
 * <p>Most programs use few of these classes, and short ones spend most of their time at the start. So the names are read there, and what the methods
 * of a class do when that is first needed ({@link TableSection}).
 */
public final class ModelTable {
    /** The groups of the views of collections, some of which belong to concurrent maps. */
    private static final String KEY_VIEW = "key-view";
    private static final Set<String> VIEWS = Set.of("view", "iterator", "stream", KEY_VIEW);
    private static final String READ = "read";
    /** The number of parts of a class's name that identify its library. */
    private static final int PACKAGE = 3;
    /** The number of tables: of the platform, of libraries, of the user. */
    private static final int TABLES = 3;
    /** The second of them. */
    private static final int OF_LIBRARIES = 1;
    /** The effect on an argument of passing it on to the same method of the object inside the receiver. */
    static final Argument[] INSIDE = {};

    /** Methods of maps that are given values, or may return one that they are given. */
    private static final Set<String> TELLING = Set.of("put", "putIfAbsent", "replace", "remove", "getOrDefault");

    private static Map<String, List<TableSection>> classes = Map.of();
    /** By class and method: the results that mean that the number of keys has changed. */
    private static Map<String, Map<String, Effect.When>> counts = Map.of();
    private static Map<String, TableSection> groups = Map.of();
    /** The classes of views that also have entries of their own. */
    private static Set<String> viewClasses = Set.of();
    private static Map<String, Name> names = Map.of();
    /** The first parts of the names of libraries' packages, such as {@code com.google.common.}. */
    private static Set<String> libraries = Set.of();
    /** Whether interfaces can be in the table, because it has more than the platform's. */
    private static boolean hasInterfaces;
    /** Final classes in the table. */
    private static final Set<String> FINAL = Set.of("java.lang.StringBuilder", "java.lang.StringBuffer");
    /** By name of a method that waits, is one of a lock or hands something over: the classes that have it, and those above them. */
    private static final Map<String, Set<String>> joining = new HashMap<>();
    /** By class: what its constructors and static methods do with an argument, and what methods of its objects do with one. */
    private static Map<String, List<TableSection>> arguments = Map.of();
    private static Map<String, List<TableSection>> passing = Map.of();
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

        Argument(int position, int method, Effect.When when) {
            this.position = position;
            this.method = method;
            this.when = when;
        }

        /** Whether the effect is certain only if the call has returned true. */
        public boolean isIfTrue() {
            return when == Effect.When.TRUE;
        }
    }

    /** What the table says about all methods with one name. */
    private static final class Name {
        /** The kind of their site; null if the name stands only where calls act on arguments. */
        String kind;
        boolean canReturnView;
        boolean dependsOnNumber;
        /** Whether only final classes and entries of the platform's maps have such a method; whether only libraries name it. */
        boolean isOfFinal = true;
        boolean isOfLibraries = true;
    }

    /**
     * Loads the tables of the platform, of libraries and of the user, each of which overrides those before it: their words, a null after each line and
     * another one after each table. Must be called before {@link dev.regiontrack.runtime.bridge.Session#arm}.
     */
    public static void load(String[] words) {
        new Reading(words).readAll();
    }

    /** The reading of the tables' names. */
    private static final class Reading {
        private final String[] words;
        private final Map<String, List<TableSection>> byClass = new HashMap<>(512);
        private final Map<String, Map<String, Effect.When>> counting = new HashMap<>();
        private final Map<String, TableSection> named = new HashMap<>();
        private final Map<String, Name> all = new HashMap<>(1024);
        private final Set<String> likeViews = new HashSet<>();
        private final Map<String, List<TableSection>> withArguments = new HashMap<>();
        private final Map<String, List<TableSection>> withPassing = new HashMap<>();
        private final Map<String, Integer> positioned = new HashMap<>();
        private final Set<String> packages = new HashSet<>();
        /** By word, which many lines share. */
        private final Map<String, Effect> effects = new HashMap<>(256);
        private int table;
        private boolean hasOthers;
        /** The classes of the section. */
        private List<String> owners = List.of();
        private TableSection section;
        private boolean isOfArguments;
        private boolean isPassing;

        Reading(String[] words) {
            this.words = words;
        }

        void readAll() {
            for (int start = 0; table < TABLES && start < words.length; start++) {
                int end = TableSection.end(words, start);
                if (end == start) {
                    table++;
                } else {
                    hasOthers |= table > 0;
                    read(start, end);
                }
                start = end;
            }
            classes = byClass;
            counts = counting;
            groups = named;
            viewClasses = likeViews;
            names = all;
            libraries = packages;
            hasInterfaces = hasOthers;
            arguments = withArguments;
            passing = withPassing;
            for (Iterator<String> calls = positioned.keySet().iterator(); calls.hasNext();) {
                // The sites of a lock or of a wait are where those of an argument would be.
                if (!READ.equals(kind(nameIn(calls.next())))) {
                    calls.remove();
                }
            }
            positions = positioned;
        }

        private void read(int start, int end) {
            switch (words[start]) {
                case "arguments": case "passing": open(start, end, words[start].equals("passing") ? withPassing : withArguments); break;
                case "class": open(start, end, byClass); break;
                case "group":
                    open(start, end, null);
                    named.put(words[start + 1], section);
                    break;
                case "like": like(words[start + 1]); break;
                default: readMethods(start, end);
            }
        }

        /** Begins a section, of the classes in its first line; later sections come first, so that a file can replace what is shipped. */
        private void open(int start, int end, Map<String, List<TableSection>> into) {
            section = new TableSection(words, end + 1);
            isOfArguments = into == withArguments || into == withPassing;
            isPassing = into == withPassing;
            owners = new ArrayList<>();
            for (int i = start + 1; into != null && i < end; i++) {
                owners.add(words[i]);
                List<TableSection> sections = into.get(words[i]);
                if (sections == null) {
                    sections = new ArrayList<>(2);
                    into.put(words[i], sections);
                }
                // What is said about an argument adds to what stands before.
                sections.add(isOfArguments ? sections.size() : 0, section);
                if (table == OF_LIBRARIES && into == byClass) {
                    packages.add(packageOf(words[i]));
                }
            }
        }

        private void like(String name) {
            TableSection group = named.get(name);
            if (VIEWS.contains(name)) {
                likeViews.addAll(owners);
            }
            if (owners.isEmpty()) {
                section.addAll(group);
            }
            for (String owner : owners) {
                byClass.get(owner).add(group);
            }
        }

        private void readMethods(int start, int end) {
            Effect.When when = isOfArguments ? null : Effect.counting(words[start]);
            for (int i = start + 1; i < end; i++) {
                if (when != null) {
                    count(words[i], when);
                } else if (isOfArguments) {
                    name(words[i]);
                    if (isPassing) {
                        positioned.put(TableSection.callIn(words[i]), TableSection.positionIn(words[i]));
                    }
                }
            }
            if (when == null && !isOfArguments) {
                readEffect(start, end);
            }
        }

        private void count(String method, Effect.When when) {
            for (String owner : owners) {
                Map<String, Effect.When> counted = counting.get(owner);
                if (counted == null) {
                    counted = new HashMap<>();
                    counting.put(owner, counted);
                }
                counted.put(method, when);
            }
            name(method);
        }

        private void readEffect(int start, int end) {
            Effect effect = effects.get(words[start]);
            if (effect == null) {
                effect = Effect.of(words[start]);
                effects.put(words[start], effect);
            }
            boolean isOfView = effect.kind == Effect.Kind.VIEW || effect.kind == Effect.Kind.ITERATE;
            boolean isOfFinal = effect.part == Effect.Part.ENTRY || effect.part == Effect.Part.OWNER || !owners.isEmpty() && FINAL.containsAll(owners);
            String kind = siteOf(effect);
            // The site of a lock or of a wait is in addition to those of a read and a write.
            boolean isFirst = !kind.equals(READ);
            for (int i = start + 1; i < end; i++) {
                Name name = name(words[i]);
                name.kind = isFirst || name.kind == null ? kind : name.kind;
                name.canReturnView |= isOfView;
                name.dependsOnNumber |= effect.when == Effect.When.NONZERO;
                name.isOfFinal &= isOfFinal;
            }
        }

        /** Returns what is known about the name of a method that this table names. */
        private Name name(String method) {
            String word = nameIn(method);
            Name name = all.get(word);
            if (name == null) {
                name = new Name();
                all.put(word, name);
            }
            name.isOfLibraries &= table == OF_LIBRARIES;
            return name;
        }
    }

    /** Returns the first three parts of a class's name. */
    private static String packageOf(String name) {
        int end = -1;
        for (int parts = 0; parts < PACKAGE; parts++) {
            end = name.indexOf('.', end + 1);
        }
        return name.substring(0, end + 1);
    }

    private static String nameIn(String method) {
        int slash = method.indexOf('/');
        return slash < 0 ? method : method.substring(0, slash);
    }

    /**
     * Returns what a constructor, {@code new}, or a static method of the class with this name, with dots, does with an argument; null if the table
     * does not say.
     */
    public static Argument argument(String owner, String name, int parameters) {
        Argument[] found = found(arguments.get(owner), name, parameters);
        return found == null ? null : found[0];
    }

    /** Returns what a method of an object of the class with this name does with an argument, in the table's order; null if the table does not say. */
    static Argument[] passed(String owner, String name, int parameters) {
        return found(passing.get(owner), name, parameters);
    }

    private static Argument[] found(List<TableSection> sections, String name, int parameters) {
        List<Argument> found = null;
        for (int i = 0; sections != null && i < sections.size(); i++) {
            Collection<Argument> some = sections.get(i).passed(name + '/' + parameters);
            if (some != null) {
                found = found == null ? new ArrayList<>() : found;
                found.addAll(some);
            }
        }
        return found == null ? null : found.toArray(new Argument[0]);
    }

    /** Returns the position of the argument on which methods of objects with this name can also act; -1 if there is none. */
    public static int position(String name, int parameters) {
        return positions.isEmpty() ? -1 : positions.getOrDefault(name + '/' + parameters, -1);
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
        Name known = names.get(name);
        return known == null ? null : known.kind;
    }

    /**
     * Whether a call of a method with this name may wait, be one of a lock, or hand something over, if its receiver is declared as this class or
     * interface of the platform, with dots; for others that is unknown. Such calls interact with other calls, also on other objects and at other
     * places: all of them have hooks or none.
     */
    public static boolean canJoin(String owner, String name) {
        if (!owner.startsWith("java.") || owner.startsWith("java.util.concurrent.") && !classes.containsKey(owner)) {
            return kind(name) != null;
        }
        Set<String> known = joining.get(name);
        return known != null && known.contains(owner);
    }

    /** Collects those classes and interfaces, and all above them; loads classes, so it must be called before the instrumenter is. */
    public static void findJoining() {
        for (Map.Entry<String, List<TableSection>> entry : classes.entrySet()) {
            for (TableSection section : entry.getValue()) {
                for (Map.Entry<String, Effect> method : section.effects().entrySet()) {
                    if (!siteOf(method.getValue()).equals(READ) || method.getValue().isOfQueue || method.getValue().gives()) {
                        addJoining(nameIn(method.getKey()), entry.getKey());
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
        Name known = names.get(name);
        return known != null && known.dependsOnNumber;
    }

    /** Whether only classes that no class of the program extends have a model for a method with this name. */
    public static boolean isOfFinal(String name) {
        Name known = names.get(name);
        return known != null && known.kind != null && known.isOfFinal;
    }

    /** Whether a method with this name can return a view of its receiver. */
    public static boolean canReturnView(String name) {
        Name known = names.get(name);
        return known != null && known.canReturnView;
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
        List<TableSection> sections = classes.get(c.getName());
        for (int i = 0; sections != null && i < sections.size(); i++) {
            Effect found = sections.get(i).of(name, parameters);
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
        TableSection section = groups.get(group);
        return section == null ? null : section.of(name, parameters);
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
        Name known = names.get(name);
        return known != null && known.isOfLibraries;
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
