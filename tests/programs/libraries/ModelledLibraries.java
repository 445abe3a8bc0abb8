package libraries;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ConcurrentHashMultiset;
import com.google.common.collect.EnumMultiset;
import com.google.common.collect.EvictingQueue;
import com.google.common.collect.HashBasedTable;
import com.google.common.collect.HashBiMap;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.MapMaker;
import com.google.common.collect.MinMaxPriorityQueue;
import com.google.common.collect.Multimap;
import com.google.common.collect.Multimaps;
import com.google.common.collect.Multiset;
import com.google.common.collect.Table;
import com.google.common.collect.Tables;
import com.google.common.util.concurrent.AtomicDouble;
import com.google.common.util.concurrent.AtomicLongMap;
import com.google.common.util.concurrent.Monitor;
import com.google.common.util.concurrent.SettableFuture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import schedule.Steps;

/**
 * Calls of libraries whose code is not watched: methods called {@code twice..} are violated by what another thread does in the middle, those called {@code once..} are
 * not.
 */
public class ModelledLibraries {
    /** What the cache does of its own accord, it does in the thread that calls it. */
    private final com.github.benmanes.caffeine.cache.Cache<String, String> caffeine = Caffeine.newBuilder().maximumSize(10).executor(Runnable::run).build();
    /** This one tidies itself up in a thread of the common pool. */
    private final com.github.benmanes.caffeine.cache.Cache<String, String> pooledCaffeine = Caffeine.newBuilder().maximumSize(10).build();
    private final com.github.benmanes.caffeine.cache.LoadingCache<String, String> loadingCaffeine = Caffeine.newBuilder().build(key -> key);
    private final com.google.common.cache.Cache<String, String> guava = CacheBuilder.newBuilder().maximumSize(10).build();
    private final Multimap<String, String> multimap = Multimaps.synchronizedMultimap(ArrayListMultimap.create());
    private final Multiset<String> multiset = ConcurrentHashMultiset.create();
    private final Multiset<String> plainMultiset = HashMultiset.create(List.of("p", "q"));
    private final Multiset<TimeUnit> ofUnits = EnumMultiset.create(TimeUnit.class);
    private final Table<String, String, String> table = Tables.synchronizedTable(HashBasedTable.create());
    private final AtomicDouble number = new AtomicDouble();
    private final AtomicLongMap<String> numbers = AtomicLongMap.create();
    private final EvictingQueue<String> evicting = EvictingQueue.create(3);
    private final MinMaxPriorityQueue<String> ordered = MinMaxPriorityQueue.create();
    private final HashBiMap<String, String> both = HashBiMap.create();
    private final ConcurrentMap<String, String> made = new MapMaker().weakValues().makeMap();
    private final AsyncCache<String, String> async = Caffeine.newBuilder().executor(Runnable::run).buildAsync();
    private final AsyncLoadingCache<String, String> loadingAsync = Caffeine.newBuilder().executor(Runnable::run).buildAsync(key -> key);
    private final com.github.benmanes.caffeine.cache.Cache<String, String> weakCaffeine = Caffeine.newBuilder().weakKeys().executor(Runnable::run).build();
    private final com.google.common.cache.Cache<String, String> weakGuava = CacheBuilder.newBuilder().weakKeys().build();
    private final ConcurrentMap<String, String> weakMade = new MapMaker().weakKeys().makeMap();
    /** A constant, which the JVM keeps: of these caches nothing is collected. */
    private final String mine = "w";
    private final String equal = new String(mine);
    private final com.google.common.cache.LoadingCache<String, String> loadingGuava = CacheBuilder.newBuilder().build(CacheLoader.from(this::load));
    private final com.github.benmanes.caffeine.cache.LoadingCache<String, String> boundedCaffeine = Caffeine.newBuilder().maximumSize(10).executor(Runnable::run)
        .build(this::load);
    private final com.github.benmanes.caffeine.cache.Cache<String, String> plainCaffeine = Caffeine.newBuilder().build();
    private final com.google.common.cache.LoadingCache<String, String> oneGuava = CacheBuilder.newBuilder().maximumSize(1).concurrencyLevel(1)
        .removalListener(removed -> look()).build(CacheLoader.from(key -> key));
    private final com.google.common.cache.LoadingCache<String, String> bulkGuava = CacheBuilder.newBuilder().build(new BulkLoader());
    private final com.github.benmanes.caffeine.cache.LoadingCache<String, String> bulkCaffeine = Caffeine.newBuilder().build(new CaffeineLoader());
    private final com.github.benmanes.caffeine.cache.LoadingCache<String, String> bulkBounded = Caffeine.newBuilder().maximumSize(100).executor(Runnable::run)
        .build(new CaffeineLoader());
    private final ConcurrentMap<String, String> boundedMap = Caffeine.newBuilder().maximumSize(10).executor(Runnable::run).<String, String>build().asMap();
    private final ConcurrentMap<String, String> plainMap = Caffeine.newBuilder().<String, String>build().asMap();
    private final ConcurrentMap<String, String> boundedGone = Caffeine.newBuilder().maximumSize(10).executor(Runnable::run).<String, String>build().asMap();
    private final ConcurrentMap<String, String> guavaGone = CacheBuilder.newBuilder().<String, String>build().asMap();
    private final ConcurrentMap<String, String> madeGone = new MapMaker().weakValues().makeMap();
    private final ConcurrentMap<String, String> goneMap = Caffeine.newBuilder().<String, String>build().asMap();
    private final ConcurrentMap<String, String> guavaMap = CacheBuilder.newBuilder().<String, String>build().asMap();
    private final ConcurrentMap<String, String> madeMap = new MapMaker().weakValues().makeMap();
    /** Keys that have the same hash code. */
    private final ConcurrentMap<String, String> chained = CacheBuilder.newBuilder().concurrencyLevel(1).<String, String>build().asMap();
    private final Monitor monitor = new Monitor();
    private final Monitor.Guard always = monitor.newGuard(() -> true);
    private final Monitor.Guard never = monitor.newGuard(() -> false);
    private final SettableFuture<String> future = SettableFuture.create();
    private final List<Runnable> methods = new ArrayList<>();
    private final List<Runnable> others = new ArrayList<>();
    private Iterator<String> gone;
    private int plain;
    /** What loaders read. */
    private volatile int version;
    private int step;
    /** The step in which what is removed from a cache is looked at. */
    private int removal;

    /** Each key that is loaded with others brings one more, whose name has a {@code +}. */
    private static Map<String, String> loadAll(Iterable<? extends String> keys) {
        Map<String, String> loaded = new HashMap<>();
        for (String key : keys) {
            loaded.put(key, "all");
            loaded.put(key + "+", "all");
        }
        return loaded;
    }

    private static final class BulkLoader extends CacheLoader<String, String> {
        @Override
        public String load(String key) {
            return "one";
        }

        @Override
        public Map<String, String> loadAll(Iterable<? extends String> keys) {
            return ModelledLibraries.loadAll(keys);
        }
    }

    /** What it computes again is there at once. */
    private static final class CaffeineLoader implements com.github.benmanes.caffeine.cache.CacheLoader<String, String> {
        @Override
        public String load(String key) {
            return "one";
        }

        @Override
        public Map<String, String> loadAll(Set<? extends String> keys) {
            return ModelledLibraries.loadAll(keys);
        }

        @Override
        public CompletableFuture<String> asyncLoad(String key, Executor executor) {
            return CompletableFuture.completedFuture("loaded");
        }

        /** A key that begins with {@code =} keeps its value. */
        @Override
        public CompletableFuture<String> asyncReload(String key, String old, Executor executor) {
            return CompletableFuture.completedFuture(key.startsWith("=") ? old : "reloaded");
        }
    }

    private void meet() {
        Steps.done(++step);
        Steps.await(++step);
    }

    void twiceCaffeine() {
        if (caffeine.getIfPresent("a") == null) {
            meet();
            caffeine.put("a", "x");
        }
    }

    /** It does not wait for the cache to tidy itself up. */
    void twicePooledCaffeine() {
        pooledCaffeine.put("a", "x");
        meet();
        pooledCaffeine.getIfPresent("a");
    }

    void twiceCaffeineMap() {
        if (!caffeine.asMap().containsKey("b")) {
            meet();
            caffeine.asMap().put("b", "x");
        }
    }

    void twiceAllOfCaffeine() {
        caffeine.putAll(Map.of("m", "1"));
        meet();
        caffeine.getIfPresent("m");
    }

    void twiceLoadingCaffeine() {
        loadingCaffeine.get("a");
        meet();
        loadingCaffeine.get("a");
    }

    void twiceGuava() {
        if (guava.getIfPresent("a") == null) {
            meet();
            guava.put("a", "x");
        }
    }

    void twiceGuavaMap() {
        if (guava.asMap().get("b") == null) {
            meet();
            guava.asMap().putIfAbsent("b", "x");
        }
    }

    void twiceMultimap() {
        if (!multimap.containsKey("a")) {
            meet();
            multimap.put("a", "x");
        }
    }

    void twiceMultiset() {
        if (multiset.count("a") == 0) {
            meet();
            multiset.add("a");
        }
    }

    void twiceElements() {
        if (!multiset.elementSet().contains("e")) {
            meet();
            multiset.add("e");
        }
    }

    void twiceElementRemoved() {
        multiset.count("r");
        meet();
        multiset.elementSet().remove("r");
    }

    void twicePlainElements() {
        if (!plainMultiset.elementSet().contains("a")) {
            meet();
            plainMultiset.add("a");
        }
    }

    void twicePlainEntries() {
        int size = plainMultiset.entrySet().size();
        meet();
        plainMultiset.add("a", size);
    }

    void twicePlainSteps() {
        Iterator<String> each = plainMultiset.iterator();
        each.next();
        meet();
        plainMultiset.count("q");
    }

    void twicePlainElementSteps() {
        Iterator<String> each = plainMultiset.elementSet().iterator();
        each.next();
        meet();
        plainMultiset.size();
    }

    void twicePlainEntrySteps() {
        Iterator<Multiset.Entry<String>> each = plainMultiset.entrySet().iterator();
        each.next();
        each.remove();
        meet();
        plainMultiset.elementSet().clear();
    }

    void onceElements() {
        if (!multiset.elementSet().contains("f")) {
            meet();
            multiset.add("f");
        }
    }

    /** The other thread adds one more of an element that is there. */
    int onceElementsCounted() {
        int size = multiset.elementSet().size();
        meet();
        return size + multiset.elementSet().size();
    }

    void onceNothingRemoved() {
        plainMultiset.removeAll(List.of());
        meet();
        plainMultiset.removeAll(List.of());
    }

    void onceOfAnotherEnum() {
        ofUnits.contains("x");
        meet();
        ofUnits.count("x");
    }

    void twiceTable() {
        if (table.get("a", "b") == null) {
            meet();
            table.put("a", "b", "x");
        }
    }

    void twiceNumber() {
        double seen = number.get();
        meet();
        number.set(seen + 1);
    }

    void twiceNumbers() {
        if (numbers.get("a") == 0) {
            meet();
            numbers.incrementAndGet("a");
        }
    }

    void twiceEvicting() {
        if (evicting.isEmpty()) {
            meet();
            evicting.add("x");
        }
    }

    void twiceOrdered() {
        if (ordered.peek() == null) {
            meet();
            ordered.add("x");
        }
    }

    void twiceBoth() {
        if (both.get("a") == null) {
            meet();
            both.put("a", "x");
        }
    }

    void twiceMade() {
        if (made.get("a") == null) {
            meet();
            made.put("a", "x");
        }
    }

    void twiceAsync() {
        if (async.getIfPresent("a") == null) {
            meet();
            async.put("a", CompletableFuture.completedFuture("x"));
        }
    }

    void twiceAsyncMap() {
        if (!async.asMap().containsKey("b")) {
            meet();
            async.asMap().put("b", CompletableFuture.completedFuture("x"));
        }
    }

    void twiceSynchronous() {
        if (async.synchronous().getIfPresent("c") == null) {
            meet();
            async.synchronous().asMap().put("c", "x");
        }
    }

    void twiceEntered() {
        monitor.enter();
        monitor.leave();
        meet();
        monitor.enter();
        monitor.leave();
    }

    void twiceEnteredIf() {
        if (monitor.enterIf(always)) {
            monitor.leave();
        }
        meet();
        if (monitor.tryEnterIf(always)) {
            monitor.leave();
        }
    }

    void twiceEnteredWhen() {
        monitor.enterWhenUninterruptibly(always);
        monitor.leave();
        meet();
        monitor.enterWhenUninterruptibly(always);
        monitor.leave();
    }

    void twiceEnteredInterruptibly() {
        by(this::enterInterruptibly);
        meet();
        by(this::enterInterruptibly);
    }

    void twiceEnteredIfInterruptibly() {
        by(() -> monitor.enterIfInterruptibly(always));
        meet();
        by(() -> monitor.enterIfInterruptibly(always));
    }

    void twiceEnteredInTime() {
        by(() -> monitor.enter(1, TimeUnit.HOURS));
        meet();
        by(() -> monitor.enter(1, TimeUnit.HOURS));
    }

    void twiceEnteredIfInTime() {
        by(() -> monitor.enterIf(always, 1, TimeUnit.HOURS));
        meet();
        by(() -> monitor.enterIf(always, 1, TimeUnit.HOURS));
    }

    void twiceEnteredWhenInTime() {
        by(() -> monitor.enterWhen(always, 1, TimeUnit.HOURS));
        meet();
        by(() -> monitor.enterWhen(always, 1, TimeUnit.HOURS));
    }

    void twiceTried() {
        by(monitor::tryEnter);
        meet();
        by(monitor::tryEnter);
    }

    void twiceLoadedAsync() {
        loadingAsync.get("a");
        meet();
        loadingAsync.get("a");
    }

    void twiceAllOfAsync() {
        loadingAsync.getAll(List.of("m"));
        meet();
        loadingAsync.getAll(List.of("m"));
    }

    private static void over(ConcurrentMap<String, String> map) {
        for (String key : map.keySet()) {
            key.length();
        }
    }

    private static void overEntries(ConcurrentMap<String, String> map) {
        for (Map.Entry<String, String> entry : map.entrySet()) {
            entry.getValue();
        }
    }

    /** Steps and questions by the views of a map see what another thread changes in between. */
    void twiceKeysOfBounded() {
        over(boundedMap);
        meet();
        boundedMap.get("i");
    }

    void twiceKeysOfPlain() {
        plainMap.get("i");
        meet();
        over(plainMap);
    }

    void twiceKeysOfGuava() {
        over(guavaMap);
        meet();
        guavaMap.get("i");
    }

    void twiceKeysOfMade() {
        madeMap.get("i");
        meet();
        over(madeMap);
    }

    void twiceEntriesOfBounded() {
        boundedMap.get("i");
        meet();
        overEntries(boundedMap);
    }

    void twiceEntriesOfGuava() {
        guavaMap.get("i");
        meet();
        overEntries(guavaMap);
    }

    void twiceSetInPlain() {
        plainMap.get("i");
        meet();
        plainMap.get("i");
    }

    void twiceSetInGuava() {
        guavaMap.get("i");
        meet();
        guavaMap.get("i");
    }

    void twiceSetInMade() {
        madeMap.get("i");
        meet();
        madeMap.get("i");
    }

    void twiceEachOfGuava() {
        guavaMap.forEach((key, value) -> key.length());
        meet();
        guavaMap.get("i");
    }

    void twiceEachValueOfPlain() {
        plainMap.values().forEach(String::length);
        meet();
        plainMap.get("i");
    }

    void twiceStreamOfBounded() {
        boundedMap.keySet().stream().forEach(String::length);
        meet();
        boundedMap.get("i");
    }

    void twiceValueOfMade() {
        madeMap.containsValue("none");
        meet();
        madeMap.get("i");
    }

    void twiceArrayOfGuava() {
        guavaMap.values().toArray();
        meet();
        guavaMap.get("i");
    }

    void twiceSizeOfKeys() {
        boundedMap.keySet().size();
        meet();
        boundedMap.values().isEmpty();
    }

    void twiceKeyOfKeys() {
        guavaMap.keySet().contains("i");
        meet();
        guavaMap.keySet().remove("i");
    }

    void twiceRemovedByIterator() {
        plainMap.get("i");
        meet();
        plainMap.get("i");
    }

    /** In a cache with bounds, too, as far as it was there. */
    void twiceRemovedByIteratorOfBounded() {
        boundedGone.get("i");
        meet();
        boundedGone.get("i");
    }

    void twiceRemovedByIteratorOfGuava() {
        guavaGone.get("i");
        meet();
        guavaGone.get("i");
    }

    void twiceRemovedByIteratorOfMade() {
        madeGone.get("i");
        meet();
        madeGone.get("i");
    }

    /** What has been removed before, an iterator does not remove. */
    void onceRemovedByIterator() {
        meet();
        goneMap.get("i");
        meet();
        goneMap.get("i");
    }

    private void removeBefore() {
        gone = goneMap.keySet().iterator();
        gone.next();
        goneMap.compute("i", (key, value) -> null);
    }

    /** An iterator may have come to the key before or after. */
    void onceSteppedInMade() {
        Iterator<String> iterator = madeMap.keySet().iterator();
        meet();
        iterator.next();
        madeMap.get("i");
    }

    /** A map copies entries when one is removed, and the iterator goes on with the old ones. */
    void onceOldEntry() {
        chained.get("AaBB");
        Iterator<Map.Entry<String, String>> iterator = chained.entrySet().iterator();
        iterator.next();
        meet();
        iterator.next();
        if (!iterator.next().getValue().equals("old")) {
            throw new IllegalStateException("the iterator has come to the new entry");
        }
    }

    private void copy() {
        chained.remove("AaAa");
        chained.put("AaBB", "new");
    }

    /** A stream that knows its size looks at no key. */
    void onceStreamed() {
        guavaMap.values().stream().count();
        meet();
        guavaMap.get("i");
    }

    private static void set(ConcurrentMap<String, String> map) {
        map.entrySet().iterator().next().setValue("o");
    }

    private static void removeByIterator(ConcurrentMap<String, String> map) {
        Iterator<String> iterator = map.keySet().iterator();
        iterator.next();
        iterator.remove();
    }

    private String load(String key) {
        return key + version;
    }

    /** What another thread loads meanwhile, it has put in. */
    void twiceLoadedByCaffeine() {
        boundedCaffeine.getIfPresent("l");
        meet();
        boundedCaffeine.getIfPresent("l");
    }

    void twiceLoadedByFunction() {
        plainCaffeine.getIfPresent("l");
        meet();
        plainCaffeine.getIfPresent("l");
    }

    void twiceComputed() {
        plainCaffeine.asMap().get("c");
        meet();
        plainCaffeine.asMap().get("c");
    }

    void twiceLoadedByGuava() {
        loadingGuava.getIfPresent("l");
        meet();
        loadingGuava.getIfPresent("l");
    }

    void twiceLoadedByCall() {
        guava.getIfPresent("c");
        meet();
        guava.getIfPresent("c");
    }

    /** The loader comes after what this has done, and what it has made is put in later. */
    /** What the cache keeps is old: it was loaded before the other thread changed it, and put in after that thread dropped it. */
    void twiceStaleInGuava() {
        try {
            guava.get("s", this::loadSlowly);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The other thread drops the key while it is loaded, and changes nothing. */
    void onceDroppedWhileLoaded() {
        try {
            guava.get("d", this::loadSlowly);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private String loadSlowly() {
        String loaded = load("slow");
        meet();
        return loaded;
    }

    private void change() {
        version++;
        guava.invalidate("s");
    }

    void twiceLoadedAfter() {
        version++;
        meet();
        boundedCaffeine.getIfPresent("v");
    }

    void twiceLoadedByGuavaAfter() {
        version++;
        meet();
        loadingGuava.getIfPresent("v");
    }

    /** It is there, so nothing is loaded. */
    void onceThereInCaffeine() {
        boundedCaffeine.getIfPresent("l");
        meet();
        boundedCaffeine.get("l");
    }

    void onceThereInGuava() {
        loadingGuava.getIfPresent("l");
        meet();
        loadingGuava.getUnchecked("l");
    }

    /** A loader that has nothing for a key puts nothing in. */
    void onceNothingLoaded() {
        plainCaffeine.getIfPresent("n");
        meet();
        plainCaffeine.getIfPresent("n");
    }

    /** What the other thread sees of this one, it sees after it has put in what it has loaded. */
    void onceLoadedBefore() {
        meet();
        plain++;
        meet();
        oneGuava.getIfPresent("b");
    }

    private void look() {
        Steps.done(removal);
        Steps.await(removal + 1);
        plain++;
    }

    private String loadByCall() {
        try {
            return guava.get("c", () -> load("c"));
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One that weak keys keep by identity is another key than one that is equal to it. */
    void twiceWeakCaffeine() {
        weakCaffeine.getIfPresent(mine);
        meet();
        weakCaffeine.getIfPresent(mine);
    }

    void onceWeakCaffeine() {
        weakCaffeine.getIfPresent(mine);
        meet();
        weakCaffeine.asMap().get(mine);
    }

    void onceWeakGuava() {
        weakGuava.getIfPresent(mine);
        meet();
        weakGuava.asMap().get(mine);
    }

    void onceWeakMade() {
        weakMade.get(mine);
        meet();
        weakMade.get(mine);
    }

    /** An entry that fails takes no lock. */
    void onceEntered() {
        if (monitor.enterIf(never)) {
            monitor.leave();
        }
        meet();
        if (monitor.tryEnterIf(never)) {
            monitor.leave();
        }
    }

    /** A wait that ends without what it waited for takes no lock. */
    void onceEnteredInTime() {
        by(() -> monitor.enterWhen(never, 1, TimeUnit.NANOSECONDS));
        meet();
        by(() -> monitor.enterIf(never, 1, TimeUnit.HOURS));
    }

    void onceAllOfAsync() {
        loadingAsync.getAll(List.of("m"));
        meet();
        loadingAsync.getAll(List.of("m"));
    }

    /** A way into the monitor; false if it has failed. */
    private interface Entry {
        boolean enter() throws InterruptedException;
    }

    private void by(Entry entry) {
        try {
            if (entry.enter()) {
                monitor.leave();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean enterInterruptibly() throws InterruptedException {
        monitor.enterInterruptibly();
        return true;
    }

    private void enter() {
        monitor.enter();
        monitor.leave();
    }

    void onceCaffeine() {
        if (caffeine.getIfPresent("k") == null) {
            meet();
            caffeine.put("k", "x");
        }
    }

    void onceGuava() {
        if (guava.getIfPresent("k") == null) {
            meet();
            guava.put("k", "x");
        }
    }

    void onceMultiset() {
        multiset.add("p");
        meet();
        multiset.add("q");
    }

    void onceCounted() {
        numbers.incrementAndGet("n");
        meet();
    }

    void twiceAllLoadedByGuava() {
        bulkGuava.getIfPresent("a");
        meet();
        bulkGuava.getIfPresent("a");
    }

    /** The loader has brought it besides. */
    void twiceBroughtByGuava() {
        bulkGuava.getIfPresent("b+");
        meet();
        bulkGuava.getIfPresent("b+");
    }

    /** This loader loads one key after the other. */
    void twiceEachLoadedByGuava() {
        loadingGuava.getIfPresent("e");
        meet();
        loadingGuava.getIfPresent("e");
    }

    /** It is not known which keys were asked for, but which were loaded. */
    void twiceUnknownLoadedByGuava() {
        loadingGuava.getIfPresent("u");
        meet();
        loadingGuava.getIfPresent("u");
    }

    void twiceRefreshedByGuava() {
        loadingGuava.getIfPresent("r");
        meet();
        loadingGuava.getIfPresent("r");
    }

    void twiceAllOfGuava() {
        getAllOfGuava(bulkGuava, List.of("c"));
        meet();
        getAllOfGuava(bulkGuava, List.of("c"));
    }

    /** All are there, so nothing is loaded. */
    void onceAllThereInGuava() {
        bulkGuava.getIfPresent("c");
        meet();
        bulkGuava.getIfPresent("c");
    }

    void onceAllPresentInGuava() {
        bulkGuava.getIfPresent("none");
        meet();
        bulkGuava.getIfPresent("none");
    }

    void twiceAllLoadedByCaffeine() {
        bulkCaffeine.getIfPresent("a");
        meet();
        bulkCaffeine.getIfPresent("a");
    }

    void twiceBroughtByCaffeine() {
        bulkBounded.getIfPresent("b+");
        meet();
        bulkBounded.getIfPresent("b+");
    }

    void twiceAllLoadedByFunction() {
        plainCaffeine.getIfPresent("f");
        meet();
        plainCaffeine.getIfPresent("f");
    }

    void twiceEachLoadedByCaffeine() {
        boundedCaffeine.getIfPresent("e");
        meet();
        boundedCaffeine.getIfPresent("e");
    }

    void twiceRefreshedByCaffeine() {
        bulkCaffeine.getIfPresent("r");
        meet();
        bulkCaffeine.getIfPresent("r");
    }

    void twiceRefreshedInBounded() {
        bulkBounded.getIfPresent("r");
        meet();
        bulkBounded.getIfPresent("r");
    }

    void twiceAllRefreshed() {
        bulkBounded.getIfPresent("s");
        meet();
        bulkBounded.getIfPresent("s");
    }

    /** A value that is computed again and stays the same is not put in. */
    void onceRefreshed() {
        bulkCaffeine.getIfPresent("=");
        meet();
        bulkCaffeine.getIfPresent("=");
    }

    void onceAllThereInCaffeine() {
        bulkCaffeine.getIfPresent("a");
        meet();
        bulkCaffeine.getIfPresent("a");
    }

    void onceOthersLoadedByCaffeine() {
        bulkCaffeine.getIfPresent("o");
        meet();
        bulkCaffeine.getIfPresent("o");
    }

    /** A future for each key that has none is put in by the call itself. */
    void twiceAllLoadedAsync() {
        async.getIfPresent("f");
        meet();
        async.getIfPresent("f");
    }

    private static void getAllOfGuava(com.google.common.cache.LoadingCache<String, String> cache, Iterable<String> keys) {
        try {
            cache.getAll(keys);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What is done before the result is set comes before what is done after it was got. */
    void onceGot() {
        meet();
        try {
            future.get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
        plain++;
    }

    private void set() {
        plain = 5;
        future.set("v");
    }

    private void meanwhile(Runnable method, Runnable other) {
        others.add(other);
        methods.add(method);
    }

    public static void main(String[] args) throws InterruptedException {
        // The one thread of the pool is started here: a method that starts one waits for others.
        System.setProperty("java.util.concurrent.ForkJoinPool.common.parallelism", "1");
        ModelledLibraries p = new ModelledLibraries();
        p.pooledCaffeine.put("b", "x");
        p.oneGuava.getUnchecked("a");
        for (ConcurrentMap<String, String> map : List.of(p.boundedMap, p.plainMap, p.goneMap, p.guavaMap, p.madeMap, p.boundedGone, p.guavaGone, p.madeGone)) {
            map.put("i", "m");
        }
        for (String key : List.of("AaAa", "AaBB", "BBAa", "BBBB")) {
            p.chained.put(key, "old");
        }
        // What is loaded would be by a task that runs within the call.
        p.loadingAsync.put("a", CompletableFuture.completedFuture("m"));
        p.loadingAsync.put("m", CompletableFuture.completedFuture("m"));
        p.meanwhile(p::twiceCaffeine, () -> p.caffeine.put("a", "o"));
        p.meanwhile(p::twicePooledCaffeine, () -> p.pooledCaffeine.put("a", "o"));
        p.meanwhile(p::twiceCaffeineMap, () -> p.caffeine.asMap().put("b", "o"));
        p.meanwhile(p::twiceAllOfCaffeine, () -> p.caffeine.put("m", "o"));
        p.meanwhile(p::twiceLoadingCaffeine, () -> p.loadingCaffeine.put("a", "o"));
        p.meanwhile(p::twiceGuava, () -> p.guava.put("a", "o"));
        p.meanwhile(p::twiceGuavaMap, () -> p.guava.asMap().put("b", "o"));
        p.meanwhile(p::twiceMultimap, () -> p.multimap.put("a", "o"));
        p.meanwhile(p::twiceMultiset, () -> p.multiset.add("a"));
        p.multiset.add("t");
        p.multiset.add("r");
        p.meanwhile(p::twiceElements, () -> p.multiset.add("e"));
        p.meanwhile(p::twiceElementRemoved, () -> p.multiset.add("r"));
        p.meanwhile(p::twicePlainElements, () -> p.plainMultiset.add("a"));
        p.meanwhile(p::twicePlainEntries, () -> p.plainMultiset.add("p"));
        p.meanwhile(p::onceElements, () -> p.multiset.add("g"));
        p.meanwhile(p::onceElementsCounted, () -> p.multiset.add("t"));
        p.meanwhile(p::onceNothingRemoved, () -> p.plainMultiset.add("q"));
        p.meanwhile(p::onceOfAnotherEnum, () -> p.ofUnits.add(TimeUnit.DAYS));
        p.meanwhile(p::twicePlainElementSteps, () -> p.plainMultiset.add("q"));
        p.meanwhile(p::twicePlainSteps, () -> p.plainMultiset.add("q"));
        p.meanwhile(p::twicePlainEntrySteps, () -> p.plainMultiset.size());
        p.meanwhile(p::twiceTable, () -> p.table.put("a", "b", "o"));
        p.meanwhile(p::twiceNumber, () -> p.number.addAndGet(1));
        p.meanwhile(p::twiceNumbers, () -> p.numbers.incrementAndGet("a"));
        p.meanwhile(p::twiceEvicting, () -> p.evicting.add("o"));
        p.meanwhile(p::twiceOrdered, () -> p.ordered.add("o"));
        p.meanwhile(p::twiceBoth, () -> p.both.put("a", "o"));
        p.meanwhile(p::twiceMade, () -> p.made.put("a", "o"));
        p.meanwhile(p::twiceAsync, () -> p.async.put("a", CompletableFuture.completedFuture("o")));
        p.meanwhile(p::twiceAsyncMap, () -> p.async.asMap().put("b", CompletableFuture.completedFuture("o")));
        p.meanwhile(p::twiceSynchronous, () -> p.async.put("c", CompletableFuture.completedFuture("o")));
        p.meanwhile(p::twiceEntered, p::enter);
        p.meanwhile(p::twiceEnteredIf, p::enter);
        p.meanwhile(p::twiceEnteredWhen, p::enter);
        p.meanwhile(p::twiceEnteredInterruptibly, p::enter);
        p.meanwhile(p::twiceEnteredIfInterruptibly, p::enter);
        p.meanwhile(p::twiceEnteredInTime, p::enter);
        p.meanwhile(p::twiceEnteredIfInTime, p::enter);
        p.meanwhile(p::twiceEnteredWhenInTime, p::enter);
        p.meanwhile(p::twiceTried, p::enter);
        p.meanwhile(p::twiceLoadedAsync, () -> p.loadingAsync.put("a", CompletableFuture.completedFuture("o")));
        p.meanwhile(p::twiceAllOfAsync, () -> p.loadingAsync.put("m", CompletableFuture.completedFuture("o")));
        p.meanwhile(p::twiceWeakCaffeine, () -> p.weakCaffeine.put(p.mine, "o"));
        p.meanwhile(p::onceWeakCaffeine, () -> p.weakCaffeine.put(p.equal, "o"));
        p.meanwhile(p::onceWeakGuava, () -> p.weakGuava.put(p.equal, "o"));
        p.meanwhile(p::onceWeakMade, () -> p.weakMade.put(p.equal, "o"));
        p.meanwhile(p::onceEntered, p::enter);
        p.meanwhile(p::onceEnteredInTime, p::enter);
        p.meanwhile(p::onceAllOfAsync, () -> p.loadingAsync.put("n", CompletableFuture.completedFuture("o")));
        p.meanwhile(p::onceCaffeine, () -> p.caffeine.put("l", "o"));
        p.meanwhile(p::onceGuava, () -> p.guava.put("l", "o"));
        p.meanwhile(p::onceMultiset, () -> p.multiset.add("r"));
        p.meanwhile(p::onceCounted, () -> p.numbers.incrementAndGet("o"));
        p.meanwhile(p::onceGot, p::set);
        p.meanwhile(p::twiceLoadedByCaffeine, () -> p.boundedCaffeine.get("l"));
        p.meanwhile(p::twiceLoadedByFunction, () -> p.plainCaffeine.get("l", p::load));
        p.meanwhile(p::twiceComputed, () -> p.plainCaffeine.asMap().computeIfAbsent("c", p::load));
        p.meanwhile(p::twiceLoadedByGuava, () -> p.loadingGuava.getUnchecked("l"));
        p.meanwhile(p::twiceLoadedByCall, p::loadByCall);
        p.meanwhile(p::twiceStaleInGuava, p::change);
        p.meanwhile(p::onceDroppedWhileLoaded, () -> p.guava.invalidate("d"));
        p.meanwhile(p::twiceLoadedAfter, () -> p.boundedCaffeine.get("v"));
        p.meanwhile(p::twiceLoadedByGuavaAfter, () -> p.loadingGuava.getUnchecked("v"));
        p.meanwhile(p::onceThereInCaffeine, () -> p.boundedCaffeine.get("l"));
        p.meanwhile(p::onceThereInGuava, () -> p.loadingGuava.getUnchecked("l"));
        p.meanwhile(p::onceNothingLoaded, () -> p.plainCaffeine.get("n", key -> null));
        p.bulkCaffeine.put("r", "m");
        p.bulkCaffeine.put("=", "m");
        p.bulkBounded.put("r", "m");
        p.bulkBounded.put("s", "m");
        p.bulkGuava.put("d", "m");
        p.meanwhile(p::twiceAllLoadedByGuava, () -> getAllOfGuava(p.bulkGuava, List.of("d", "a")));
        p.meanwhile(p::twiceBroughtByGuava, () -> getAllOfGuava(p.bulkGuava, List.of("b")));
        p.meanwhile(p::twiceEachLoadedByGuava, () -> getAllOfGuava(p.loadingGuava, List.of("e", "g")));
        p.meanwhile(p::twiceUnknownLoadedByGuava, () -> getAllOfGuava(p.loadingGuava, new TreeSet<>(Set.of("u"))));
        p.meanwhile(p::twiceRefreshedByGuava, () -> p.loadingGuava.refresh("r"));
        p.bulkGuava.put("c", "m");
        p.meanwhile(p::twiceAllOfGuava, () -> p.bulkGuava.put("c", "o"));
        p.meanwhile(p::onceAllThereInGuava, () -> getAllOfGuava(p.bulkGuava, List.of("c", "d")));
        p.meanwhile(p::onceAllPresentInGuava, () -> p.bulkGuava.getAllPresent(List.of("none", "c")));
        p.meanwhile(p::twiceAllLoadedByCaffeine, () -> p.bulkCaffeine.getAll(List.of("r", "a")));
        p.meanwhile(p::twiceBroughtByCaffeine, () -> p.bulkBounded.getAll(new TreeSet<>(Set.of("b"))));
        p.meanwhile(p::twiceAllLoadedByFunction, () -> p.plainCaffeine.getAll(List.of("f"), ModelledLibraries::loadAll));
        p.meanwhile(p::twiceEachLoadedByCaffeine, () -> p.boundedCaffeine.getAll(List.of("e")));
        p.meanwhile(p::twiceRefreshedByCaffeine, () -> p.bulkCaffeine.refresh("r"));
        p.meanwhile(p::twiceRefreshedInBounded, () -> p.bulkBounded.refresh(new String("r")));
        p.meanwhile(p::twiceAllRefreshed, () -> p.bulkBounded.refreshAll(List.of("r", "s")));
        p.meanwhile(p::onceRefreshed, () -> p.bulkCaffeine.refresh("="));
        p.meanwhile(p::onceAllThereInCaffeine, () -> p.bulkCaffeine.getAll(List.of("a")));
        p.meanwhile(p::onceOthersLoadedByCaffeine, () -> p.bulkCaffeine.getAll(List.of("p")));
        p.meanwhile(p::twiceAllLoadedAsync, () -> p.async.getAll(List.of("f"), (keys, executor) -> CompletableFuture.completedFuture(loadAll(keys))));
        p.meanwhile(p::twiceKeysOfBounded, () -> p.boundedMap.put("i", "o"));
        p.meanwhile(p::twiceKeysOfPlain, () -> p.plainMap.put("i", "o"));
        p.meanwhile(p::twiceKeysOfGuava, () -> p.guavaMap.put("i", "o"));
        p.meanwhile(p::twiceKeysOfMade, () -> p.madeMap.put("i", "o"));
        p.meanwhile(p::twiceEntriesOfBounded, () -> p.boundedMap.put("i", "o"));
        p.meanwhile(p::twiceEntriesOfGuava, () -> p.guavaMap.put("i", "o"));
        p.meanwhile(p::twiceSetInPlain, () -> set(p.plainMap));
        p.meanwhile(p::twiceSetInGuava, () -> set(p.guavaMap));
        p.meanwhile(p::twiceSetInMade, () -> set(p.madeMap));
        p.meanwhile(p::twiceEachOfGuava, () -> p.guavaMap.put("i", "o"));
        p.meanwhile(p::twiceEachValueOfPlain, () -> p.plainMap.put("i", "o"));
        p.meanwhile(p::twiceStreamOfBounded, () -> p.boundedMap.put("i", "o"));
        p.meanwhile(p::twiceValueOfMade, () -> p.madeMap.put("i", "o"));
        p.meanwhile(p::twiceArrayOfGuava, () -> p.guavaMap.put("i", "o"));
        p.meanwhile(p::twiceSizeOfKeys, () -> p.boundedMap.keySet().clear());
        p.meanwhile(p::onceStreamed, () -> p.guavaMap.put("i", "o"));
        p.meanwhile(p::onceSteppedInMade, () -> p.madeMap.put("i", "o"));
        p.meanwhile(p::twiceKeyOfKeys, () -> p.guavaMap.put("i", "o"));
        p.meanwhile(p::twiceRemovedByIterator, () -> removeByIterator(p.plainMap));
        p.meanwhile(p::twiceRemovedByIteratorOfBounded, () -> removeByIterator(p.boundedGone));
        p.meanwhile(p::twiceRemovedByIteratorOfGuava, () -> removeByIterator(p.guavaGone));
        p.meanwhile(p::twiceRemovedByIteratorOfMade, () -> removeByIterator(p.madeGone));
        p.meanwhile(p::onceRemovedByIterator, p::removeBefore);
        p.others.add(() -> p.gone.remove());
        p.meanwhile(p::onceOldEntry, p::copy);
        p.removal = 2 * p.others.size() + 2;
        p.meanwhile(p::onceLoadedBefore, () -> p.oneGuava.getUnchecked("b"));
        p.others.add(() -> { });
        Steps.run(() -> p.methods.forEach(Runnable::run), () -> {
            for (int i = 0; i < p.others.size(); i++) {
                Steps.await(2 * i + 1);
                p.others.get(i).run();
                Steps.done(2 * i + 2);
            }
        });
        System.out.println("done");
    }
}
