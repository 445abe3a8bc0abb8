package dev.regiontrack.runtime.steering;

import dev.regiontrack.runtime.bridge.Bridge;
import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.threads.Origin;
import dev.regiontrack.runtime.threads.ThreadState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The plan by which this run is steered: the bridge's choice among the candidates of a file, a line each: {@code
 * index<TAB>block<TAB>first<TAB>hold<TAB>last<TAB>other<TAB>enter<TAB>bound<TAB>skipped<TAB>free}, with the bound in milliseconds, the number of
 * chances that are skipped at first, and the number of futile holds after which the next chance is used all the same, or a negative seed if most
 * chances are to be used. Before the bound there may be steps, at least two, {@code thread<TAB>object<TAB>place<TAB>gate} each, the last of which is
 * at {@code other}: all of them are to be passed in order. If its first step has a gate in this plan, a thread waits before the gate until it is its
 * turn. A thread that has passed {@code first} in a block is held after {@code hold} until another one has passed {@code other}, or before {@code
 * hold} if that is {@code last}; before {@code enter}, if there is one, a thread waits until one is held. A {@code ?} before it means: not for this
 * plan, but perhaps for another one of the same candidates.
 *
 * <p>In a replayed run there are also switch points, in order: {@code point<TAB>thread<TAB>place<TAB>times<TAB>before<TAB>inBlock}
 * ({@code runtime/replay}); the last column is 1 for the thread in the block, else 0. The candidate behind them is that of the schedule; threads are held for it only if the run leaves the schedule. A line {@code test} at the top says
 * that the plan holds within a test ({@link #replay}).
 *
 * <p>Where tests are repeated, each repetition has another plan. The code of a class has calls for the places of all plans so far ({@link #known});
 * only calls for places of the current plan have an effect. A place has the same number in all plans.
 */
public final class Plan {
    private static final Plan NONE = new Plan("", null);
    private static final int COLUMNS = 10;
    /** The number of columns behind the steps, which differ from plan to plan. */
    private static final int AT_THE_END = 3;
    /** The number of columns of a step. */
    private static final int OF_STEP = 4;
    private static final String PLATFORM = "java/";
    private static final String POINT = "point";
    private static final String TEST = "test";
    /** A scope that no thread works for: the test has not begun. */
    private static final int NOBODY = -1;
    private static final int PLACE = 2;
    private static final int BEFORE = 4;
    private static final long NANOS = 1_000_000;

    /** Marks what is not for this plan. */
    private static final char NOT_NOW = '?';
    /** The initial budget for holds, in nanoseconds: a share of a run that is hardly longer than the agent's start is nothing. */
    private static final long SHORT_RUN = 100 * NANOS;
    /** The initial budget for holds in a repetition of a test, in addition to the share of its time. */
    private static final long BASE = 1000 * NANOS;

    private static volatile Plan current = NONE;
    /** The plan of all places for which code has calls. */
    private static volatile Plan known = NONE;
    /** Where tests are repeated, the candidates of all plans so far: lines without the indices and the last columns. */
    private static final Set<String> CANDIDATES = new LinkedHashSet<>();
    private static final String AT_NO_TIME = "\t0".repeat(AT_THE_END);
    private static volatile boolean isForTests;
    private static Rewriter rewriter;
    private static int share;

    private final Bridge bridge;
    /** The scope for which held threads must work, a part of the run; 0 for any. */
    private volatile int scope;
    private volatile boolean isOver;
    private final List<Candidate> candidates = new ArrayList<>();
    private final int count;
    private final List<String[]> points = new ArrayList<>();
    private final Map<String, Place> byText = new LinkedHashMap<>();
    private final Place[] places;
    private final Map<String, List<Place>> byType = new HashMap<>();
    /** Names of methods whose calls may enter or leave a place's monitor. */
    private final Map<String, List<Place>> byCall = new HashMap<>();
    /** The same for classes of the platform. */
    private final Map<String, List<Place>> byPlatformCall = new HashMap<>();

    /** Inserts calls for the places of a plan into loaded code. */
    public interface Rewriter {
        /** Rewrites the classes with these names, whose places have changed, and calls of methods with these names, which may be places. */
        void rewrite(Set<String> types, Set<String> methods);
    }

    private Plan(String text, Bridge bridge) {
        this(text, bridge, null, 0);
    }

    /** Places that are in {@code before} keep their numbers. */
    private Plan(String text, Bridge bridge, Plan before, int scope) {
        this.bridge = bridge;
        this.scope = scope;
        for (String line : text.split("\n")) {
            if (!line.isEmpty()) {
                add(line.split("\t", -1), before);
            }
        }
        count = candidates.size();
        places = new Place[before == null ? byText.size() : Math.max(byText.size(), before.places.length)];
        for (Place place : byText.values()) {
            places[place.number] = place;
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

    private void add(String[] columns, Plan before) {
        if (columns[0].equals(TEST)) {
            scope = NOBODY;
            return;
        }
        if (columns[0].equals(POINT)) {
            points.add(columns);
            place(columns[PLACE], before).isWatched = true;
            place(columns[BEFORE], before).isAwaited = true;
            return;
        }
        int steps = (columns.length - COLUMNS) / OF_STEP;
        if (columns.length < COLUMNS || columns.length != COLUMNS + steps * OF_STEP) {
            throw new IllegalArgumentException("a plan that cannot be read: " + String.join(" ", columns));
        }
        int at = 0;
        int index = Integer.parseInt(columns[at++]);
        String block = columns[at++];
        Place first = place(columns[at++], before);
        Place hold = place(columns[at++], before);
        Place last = place(columns[at++], before);
        Place other = place(columns[at++], before);
        Place enter = enter(columns[at++], before);
        int end = columns.length - AT_THE_END;
        long bound = Long.parseLong(columns[end++]) * NANOS;
        int skipped = Integer.parseInt(columns[end++]);
        int free = Integer.parseInt(columns[end]);
        Pace pace = free < 0 ? Pace.ofMany(free) : new Pace(skipped, free);
        boolean isLook = steps == 0 && other.isRead() && !(first.isWrite() && last.isWrite());
        Candidate candidate = new Candidate(index, candidates.size(), block, first, hold, isLook, bound, pace);
        candidate.plan = this;
        Step[] all = new Step[Math.max(steps, 1)];
        all[0] = new Step(candidate, 0, 0, 0, other, null);
        for (int i = 0; i < steps; i++) {
            int runner = Integer.parseInt(columns[at++]) - 1;
            int object = Integer.parseInt(columns[at++]);
            Place place = place(columns[at++], before);
            Place gate = enter(columns[at++], before);
            all[i] = new Step(candidate, i, runner, object, place, gate);
        }
        candidate.passes(all);
        candidates.add(candidate);
        first.firsts = Place.with(first.firsts, candidate);
        candidate.isHeldBefore = hold == last && hold != first;
        if (candidate.isHeldBefore) {
            hold.approaches = Place.with(hold.approaches, candidate);
        } else if (hold != first) {
            hold.holds = Place.with(hold.holds, candidate);
        }
        last.lasts = Place.with(last.lasts, candidate);
        for (Step step : all) {
            step.place.steps = Step.with(step.place.steps, step);
            if (step.index > 0 && step.isFirst && step.gate != null) {
                step.gate.gates = Step.with(step.gate.gates, step);
            }
        }
        if (enter != null) {
            enter.enters = Place.with(enter.enters, candidate);
        }
        if (!points.isEmpty()) {
            candidate.isOpen = false;
            first.isWatched = true;
            last.isWatched = true;
        }
    }

    /** Returns the place, or null if there is none. */
    private Place enter(String text, Plan before) {
        return text.isEmpty() || text.charAt(0) == NOT_NOW ? null : place(text, before);
    }

    private Place place(String text, Plan before) {
        Place place = byText.get(text);
        if (place == null) {
            Place same = before == null ? null : before.byText.get(text);
            place = new Place(same == null ? byText.size() : same.number, text, this, same);
            byText.put(text, place);
        }
        return place;
    }

    /** Whether threads may be held that work for what this thread works for. */
    boolean isFor(ThreadState t) {
        return scope == 0 || t.scope() == scope;
    }

    /** Whether another plan, or none, has replaced this one. */
    boolean isOver() {
        return isOver;
    }

    /**
     * Steers by the bridge's plan from now on; threads may be held for {@code share} per cent of the run's time. Must be called before the runtime is
     * armed.
     */
    public static void turnOn(Bridge bridge, int share) {
        String text = bridge.plan();
        Origin.turnOn();
        use(text == null ? "" : text, bridge, share);
    }

    static void use(String text, Bridge bridge, int share) {
        Plan plan = new Plan(text, bridge);
        Plan.share = share;
        Budget.start(share, plan.candidates.size(), SHORT_RUN);
        isForTests = false;
        CANDIDATES.clear();
        known = plan;
        current = plan;
    }

    // ---- where tests are repeated

    /** Gives tests plans from now on, for {@code share} per cent of the time of each repetition. Must be called before the runtime is armed. */
    public static void turnOnForTests(int share) {
        Origin.turnOn();
        Plan.share = share;
        isForTests = true;
    }

    /** Sets what inserts calls into loaded code. */
    public static void rewriteBy(Rewriter rewriter) {
        Plan.rewriter = rewriter;
    }

    /** Whether tests can be repeated. */
    public static boolean isForTests() {
        return isForTests;
    }

    /** Steers threads that work for this scope by a plan, until {@link #end}. Called by one thread at a time. */
    public static void steer(String text, Bridge bridge, int scope) {
        learn(text, bridge);
        end();
        Plan plan = new Plan(text, bridge, known, scope);
        Budget.start(share, plan.candidates.size(), BASE);
        current = plan;
    }

    /** Makes threads that work for this scope follow the run's schedule, until {@link #end}. */
    public static void replay(int scope) {
        Plan plan = current;
        Budget.start(share, plan.candidates.size(), BASE);
        plan.scope = scope;
    }

    /** Ends steering, except by the schedule of a test that has not begun. */
    public static void end() {
        Plan plan = current;
        if (plan.scope == NOBODY) {
            return;
        }
        current = NONE;
        plan.isOver = true;
    }

    /** Inserts calls for the plan's places into code that has none. */
    private static void learn(String text, Bridge bridge) {
        boolean isNew = false;
        for (String line : text.split("\n")) {
            if (!line.isEmpty()) {
                isNew |= CANDIDATES.add(candidate(line));
            }
        }
        if (!isNew) {
            return;
        }
        Plan former = known;
        StringBuilder lines = new StringBuilder();
        for (String candidate : CANDIDATES) {
            lines.append('0').append(candidate).append(AT_NO_TIME).append('\n');
        }
        Plan all = new Plan(lines.toString(), bridge, former, 0);
        Set<String> types = new HashSet<>();
        Set<String> methods = new HashSet<>();
        for (Place place : all.places) {
            if (!place.hasCallsOf(former.byText.get(place.text))) {
                types.add(place.type);
                if (place.isOfMonitor()) {
                    methods.add(place.method);
                }
            }
        }
        known = all;
        if (!types.isEmpty() && rewriter != null) {
            rewriter.rewrite(types, methods);
        }
    }

    /** Returns a line without the columns that differ from plan to plan. */
    private static String candidate(String line) {
        int end = line.length();
        for (int i = 0; i < AT_THE_END; i++) {
            end = line.lastIndexOf('\t', end - 1);
        }
        return line.substring(line.indexOf('\t'), end).replace("\t" + NOT_NOW, "\t");
    }

    // ---- for the program's threads

    /** Returns the place; null if the current plan does not have it. */
    static Place place(int number) {
        Place[] all = current.places;
        return number < all.length ? all[number] : null;
    }

    int candidates() {
        return count;
    }

    int places() {
        return places.length;
    }

    /** Whether a run is or may be steered. */
    public static boolean isOn() {
        return known.places.length > 0 || isForTests();
    }

    /** Returns the plan's place with this text. */
    public static Place named(String text) {
        return known.byText.get(text);
    }

    /** Returns the switch points of a replayed run, as the bridge writes them; none in other runs. */
    public static List<String[]> points() {
        return known.points;
    }

    /** Whether the schedule's violation has not happened so far. Asks the bridge: locks of the runtime must not be held. */
    public static boolean isLeft() {
        Bridge bridge = known.bridge;
        String left = bridge == null ? null : bridge.plan();
        return left != null && !left.isEmpty();
    }

    /** Allows holds for every candidate from now on. */
    static void open() {
        // Not by {@code candidates}, whose class may be watched: a hook calls this.
        for (Place place : current.places) {
            for (int i = 0; place != null && i < place.firsts.length; i++) {
                place.firsts[i].isOpen = true;
            }
        }
    }

    // ---- for the instrumenter

    /** Returns the places in a class, given by its internal name. */
    public static List<Place> in(String internalName) {
        return isOn() ? known.byType.getOrDefault(internalName.replace('/', '.'), List.of()) : List.of();
    }

    /**
     * Returns the places whose monitor a call of a method with this name may enter or leave. The call may name another class than the declaring one,
     * but names one of the platform if that is.
     */
    public static List<Place> called(String owner, String method) {
        if (!isOn()) {
            return List.of();
        }
        return (owner.startsWith(PLATFORM) ? known.byPlatformCall : known.byCall).getOrDefault(method, List.of());
    }

    /** An instruction was found that is this place. */
    public static void found(Place place) {
        tell(place, place.find());
    }

    /** A synchronized method with this descriptor was found that is this place. */
    public static void foundCalled(Place place, String desc) {
        tell(place, place.findCalled(desc));
    }

    private static void tell(Place place, boolean isFirst) {
        if (isFirst && known.bridge != null) {
            known.bridge.describe(NativeBridge.FOUND, 0, place.text);
        }
    }

    /** Returns the texts of the places without an instruction so far. */
    static Set<String> missing() {
        Set<String> missing = new HashSet<>();
        for (Place place : known.places) {
            if (!place.isFound()) {
                missing.add(place.text);
            }
        }
        return missing;
    }
}
