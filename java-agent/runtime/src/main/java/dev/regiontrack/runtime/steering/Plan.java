package dev.regiontrack.runtime.steering;

import dev.regiontrack.runtime.bridge.Bridge;
import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.threads.Origin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is steered in this run: the bridge's choice among the candidates of a file, a line each: {@code
 * index<TAB>block<TAB>first<TAB>hold<TAB>last<TAB>other<TAB>enter<TAB>bound}, with the bound in milliseconds. A thread that has passed {@code first} in
 * a block is held after {@code hold} until another one has passed {@code other}; before {@code enter}, if there is one, a thread waits until
 * one is held.
 *
 * <p>Of a run that is replayed it has switch points, in their order: {@code point<TAB>thread<TAB>place<TAB>times<TAB>before} ({@code runtime/replay}). The candidate behind
 * them is that of the schedule; threads are held for it only if the run goes another way.
 */
public final class Plan {
    private static final Plan NONE = new Plan("", null);
    private static final int COLUMNS = 8;
    private static final String PLATFORM = "java/";
    private static final String POINT = "point";
    private static final int PLACE = 2;
    private static final int BEFORE = 4;
    private static final long NANOS = 1_000_000;

    private static volatile Plan current = NONE;

    private final Bridge bridge;
    private final List<Candidate> candidates = new ArrayList<>();
    private final int count;
    private final List<String[]> points = new ArrayList<>();
    private final Map<String, Place> byText = new LinkedHashMap<>();
    private final Place[] places;
    private final Map<String, List<Place>> byType = new HashMap<>();
    /** Names of methods whose calls may enter or leave a place's monitor. */
    private final Map<String, List<Place>> byCall = new HashMap<>();
    /** The same of classes of the platform. */
    private final Map<String, List<Place>> byPlatformCall = new HashMap<>();

    private Plan(String text, Bridge bridge) {
        this.bridge = bridge;
        for (String line : text.split("\n")) {
            if (!line.isEmpty()) {
                add(line.split("\t", -1));
            }
        }
        count = candidates.size();
        places = byText.values().toArray(new Place[0]);
        for (Place place : places) {
            byType.computeIfAbsent(place.type, Plan::list).add(place);
            if (place.isOfMonitor()) {
                byCall.computeIfAbsent(place.method, Plan::list).add(place);
                if (place.type.replace('.', '/').startsWith(PLATFORM)) {
                    byPlatformCall.computeIfAbsent(place.method, Plan::list).add(place);
                }
            }
        }
    }

    private static List<Place> list(String key) {
        return new ArrayList<>();
    }

    private void add(String[] columns) {
        if (columns[0].equals(POINT)) {
            points.add(columns);
            place(columns[PLACE]).isWatched = true;
            place(columns[BEFORE]).isAwaited = true;
            return;
        }
        if (columns.length != COLUMNS) {
            throw new IllegalArgumentException("a plan that cannot be read: " + String.join(" ", columns));
        }
        int at = 0;
        int index = Integer.parseInt(columns[at++]);
        String block = columns[at++];
        Place first = place(columns[at++]);
        Place hold = place(columns[at++]);
        Place last = place(columns[at++]);
        Place other = place(columns[at++]);
        Place enter = columns[at].isEmpty() ? null : place(columns[at]);
        long bound = Long.parseLong(columns[at + 1]) * NANOS;
        Candidate candidate = new Candidate(index, candidates.size(), block, first, hold, bound);
        candidates.add(candidate);
        first.firsts = Place.with(first.firsts, candidate);
        if (hold != first) {
            hold.holds = Place.with(hold.holds, candidate);
        }
        last.lasts = Place.with(last.lasts, candidate);
        other.others = Place.with(other.others, candidate);
        if (enter != null) {
            enter.enters = Place.with(enter.enters, candidate);
        }
        if (!points.isEmpty()) {
            candidate.isOpen = false;
            first.isWatched = true;
            last.isWatched = true;
        }
    }

    private Place place(String text) {
        Place place = byText.get(text);
        if (place == null) {
            place = new Place(byText.size(), text);
            byText.put(text, place);
        }
        return place;
    }

    /** The plan of the bridge holds from now on; threads may be held for {@code share} per cent of the run's time. Must be called before the runtime is armed. */
    public static void turnOn(Bridge bridge, int share) {
        String text = bridge.plan();
        Origin.turnOn();
        use(text == null ? "" : text, bridge, share);
    }

    static void use(String text, Bridge bridge, int share) {
        Plan plan = new Plan(text, bridge);
        Budget.start(share, plan.candidates.size());
        current = plan;
    }

    /** Whether something is steered. */
    public static boolean isOn() {
        return current.places.length > 0;
    }

    static Place place(int number) {
        return current.places[number];
    }

    static int candidates() {
        return current.count;
    }

    static int places() {
        return current.places.length;
    }

    /** The place that is written so, which is one of the plan. */
    public static Place named(String text) {
        return current.byText.get(text);
    }

    /** The switch points of a run that is replayed, as the bridge writes them; none otherwise. */
    public static List<String[]> points() {
        return current.points;
    }

    /** Threads are held for every candidate from now on. */
    static void open() {
        for (Candidate candidate : current.candidates) {
            candidate.isOpen = true;
        }
    }

    // ---- for the instrumenter

    /** The places in a class, with its name in internal form. */
    public static List<Place> in(String internalName) {
        return isOn() ? current.byType.getOrDefault(internalName.replace('/', '.'), List.of()) : List.of();
    }

    /**
     * Places whose monitor a call of a method with this name may enter or leave. The class that has it need not be the one that the call names, but one of the platform
     * if that is.
     */
    public static List<Place> called(String owner, String method) {
        if (!isOn()) {
            return List.of();
        }
        return (owner.startsWith(PLATFORM) ? current.byPlatformCall : current.byCall).getOrDefault(method, List.of());
    }

    /** An instruction is this place, or, unless {@code isInMethod}, a synchronized method is. */
    public static void found(Place place, boolean isInMethod) {
        if (place.find(isInMethod) && current.bridge != null) {
            current.bridge.describe(NativeBridge.FOUND, 0, place.text);
        }
    }

    /** The texts of the places of which no instruction was found so far. */
    static Set<String> missing() {
        Set<String> missing = new HashSet<>();
        for (Place place : current.places) {
            if (!place.isFound()) {
                missing.add(place.text);
            }
        }
        return missing;
    }
}
