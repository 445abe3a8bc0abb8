package dev.regiontrack.instrument.flow;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** The subjects of {@link AttemptsTest}: a method for each shape. If every read has a consequence, the name begins with "used". */
class AttemptShapes {
    interface Check {
        void orThrow();

        boolean isDone();

        Lock lock();
    }

    static final AtomicInteger COUNT = new AtomicInteger();
    static int rounds;
    final AtomicInteger n = new AtomicInteger();
    final AtomicReference<Object> reference = new AtomicReference<>();
    final AtomicBoolean isStarted = new AtomicBoolean();
    final Lock lock = new ReentrantLock();
    AtomicInteger changing = n;
    volatile boolean isReady;
    volatile Object made;
    volatile Object other;
    final AtomicIntegerArray elements = new AtomicIntegerArray(2);
    final Map<String, Object> map = new ConcurrentHashMap<>();
    final ConcurrentMap<Integer, Integer> numbers = new ConcurrentHashMap<>();

    /** A read that can throw, after another one. */
    void goesRoundForElement(int i) {
        while (n.get() == 0 || elements.get(i) / 2 == 0) {
            Thread.onSpinWait();
        }
    }

    /** It reads again at the end of a round. There a local of this round is still known that the next round does not have yet. */
    boolean retriesAtTheEnd(int limit) {
        int c = n.get();
        while (c < limit) {
            int next = c + 1;
            if (n.compareAndSet(c, next)) {
                return true;
            }
            c = n.get();
        }
        return false;
    }

    /** The computation can throw, but not at a read. */
    int usedToDivide(int i) {
        while (n.get() / i > 2) {
            Thread.onSpinWait();
        }
        return i;
    }
    Map<String, Object> changingMap = map;
    int plain;

    int retries() {
        int c;
        do {
            c = n.get();
        } while (!n.compareAndSet(c, c + 1));
        return c;
    }

    /** Through a method of another class. */
    void asksAgain(Check check) {
        if (!check.isDone()) {
            synchronized (this) {
                if (!check.isDone()) {
                    plain++;
                }
            }
        }
    }

    /** A read in the middle of a statement with a jump before it, after an attempt: no attempt starts there. */
    int spinsAndReadsInside(boolean reads) {
        while (!isReady) {
            Thread.onSpinWait();
        }
        return 1 + (reads ? n.get() : 0);
    }

    /** What follows the loop is not part of it. */
    void spinsAndTells(Check check) {
        while (!isReady) {
            Thread.onSpinWait();
        }
        check.orThrow();
    }

    void spinsWithChecks(Check check) {
        while (!check.isDone()) {
            check.orThrow();
        }
    }

    boolean movesOn() {
        return n.get() == 1 && n.compareAndSet(1, 2);
    }

    boolean movesOnFromFew() {
        return n.get() < 5 && n.compareAndSet(4, 5);
    }

    boolean fillsTheReference() {
        return reference.get() == null && reference.compareAndSet(null, this);
    }

    /** The value that it finds if it succeeds would not have led there. */
    boolean usedToMoveOn() {
        return n.get() == 1 && n.compareAndSet(2, 3);
    }

    boolean usedToMoveOnFromFew() {
        return n.get() < 5 && n.compareAndSet(5, 6);
    }

    boolean usedToExpect() {
        int c = n.get();
        return n.compareAndSet(c + 1, c);
    }

    boolean usedToMoveOnFromAnother(Object expected) {
        return reference.get() != expected && reference.compareAndSet(expected, this);
    }

    /** It counts its failures, regardless of the result's consequences. */
    void usedToTell() {
        int c = n.get();
        boolean isSet = n.compareAndSet(c, c + 1);
        rounds += isSet ? 0 : 1;
    }

    /** Under the lock it first looks at another field. */
    void usedBeforeAnotherLook() {
        if (made == null) {
            synchronized (this) {
                if (other == null && made == null) {
                    plain++;
                }
            }
        }
    }

    /** The same, and it does so without the lock too. */
    boolean usedBeforeAnotherLookOnBothPaths() {
        if (made == null) {
            synchronized (this) {
                return other == null && made == null;
            }
        }
        return other == null && made == null;
    }

    void usedToChooseTheLock(Check check) {
        check.lock().lock();
        check.lock().unlock();
    }

    void usedToAskAnother(Check check, Check other) {
        if (!check.isDone()) {
            synchronized (this) {
                if (!other.isDone()) {
                    plain++;
                }
            }
        }
    }

    /** Through a call without a result of a method of another class. */
    void spinsUnless(Check check) {
        while (!isReady) {
            check.orThrow();
        }
    }

    static int retriesOfStatic() {
        for (;;) {
            int c = COUNT.get();
            if (COUNT.compareAndSet(c, c + 1)) {
                return c;
            }
            Thread.onSpinWait();
        }
    }

    int retriesUntilLimit(int limit) {
        for (;;) {
            int c = n.get();
            if (c >= limit) {
                return c;
            }
            if (n.compareAndSet(c, c + 1)) {
                return c;
            }
        }
    }

    int retriesTwice() {
        int c = n.get();
        while (!n.compareAndSet(c, c + 1)) {
            c = n.get();
        }
        return c;
    }

    boolean triesOnce() {
        int c = n.get();
        return n.compareAndSet(c, c + 1);
    }

    int retriesOfLocal(Map<String, AtomicInteger> all) {
        AtomicInteger of = all.get("k");
        int c;
        do {
            c = of.get();
        } while (!of.compareAndSet(c, c + 1));
        return c;
    }

    boolean looksAndSets() {
        return !isStarted.get() && isStarted.compareAndSet(false, true);
    }

    void spins() {
        while (!isReady) {
            Thread.onSpinWait();
        }
    }

    Object spinsForValue() {
        Object result;
        while ((result = reference.get()) == null) {
            Thread.yield();
        }
        return result;
    }

    Object looksAgain() {
        if (made == null) {
            synchronized (this) {
                if (made == null) {
                    made = "new";
                }
            }
        }
        return made;
    }

    Object looksAgainUnderLock() {
        Object result = made;
        if (result == null) {
            lock.lock();
            try {
                result = made;
                if (result == null) {
                    result = "new";
                    made = result;
                }
            } finally {
                lock.unlock();
            }
        }
        return result;
    }

    private boolean ready() {
        return isReady;
    }

    final int current() {
        return n.get();
    }

    boolean canBeOverridden() {
        return isReady;
    }

    void spinsByGetter() {
        while (!ready()) {
            Thread.onSpinWait();
        }
    }

    int retriesByGetter() {
        int c;
        do {
            c = current();
        } while (!n.compareAndSet(c, c + 1));
        return c;
    }

    private boolean isDone(Object done, long unused) {
        Object now = reference.get();
        return now == done && !isReady;
    }

    private boolean isDoneAtDepth(Object done) {
        return !ready() && isDone(done, 1L);
    }

    private static void pause() {
        Thread.onSpinWait();
    }

    void spinsByMethod(Object done) {
        while (!isDone(done, plain)) {
            pause();
        }
    }

    void spinsByMethods(Object done) {
        while (!isDoneAtDepth(done)) {
            Thread.onSpinWait();
        }
    }

    private int load() {
        return plain > 0 ? n.get() : n.getPlain();
    }

    int usedBesidesInMethod() {
        int c;
        do {
            c = load();
        } while (!n.compareAndSet(c, c + 1));
        return c;
    }

    private static int next(int of, long atMost) {
        return of >= atMost ? 0 : of + 1;
    }

    int retriesByMethod() {
        int c;
        do {
            c = n.get();
        } while (!n.compareAndSet(c, next(c, 10)));
        return c;
    }

    private boolean set(int from, int to) {
        return n.compareAndSet(from, to);
    }

    private boolean setOther(int from, int to) {
        return COUNT.compareAndSet(from, to);
    }

    int retriesBySetter() {
        for (;;) {
            int c = current();
            if (set(c, c + 1)) {
                return c;
            }
        }
    }

    int usedByOtherSetter() {
        for (;;) {
            int c = current();
            if (setOther(c, c + 1)) {
                return c;
            }
        }
    }

    int usedAfterSetter() {
        int last = 0;
        for (;;) {
            int c = current();
            if (set(c, c + 1)) {
                return last;
            }
            last = c;
        }
    }

    private boolean triesBelow(int limit) {
        int c = n.get();
        return c < limit && n.compareAndSet(c, c + 1);
    }

    void spinsUntilSet() {
        while (!triesBelow(5)) {
            Thread.onSpinWait();
        }
    }

    void looksAgainByMethod() {
        if (!ready()) {
            synchronized (this) {
                if (!ready()) {
                    made = "new";
                }
            }
        }
    }

    private boolean isReadyOf(AttemptShapes shapes) {
        return shapes.ready();
    }

    void spinsForOther(AttemptShapes shapes) {
        while (!isReadyOf(shapes)) {
            Thread.onSpinWait();
        }
    }

    private boolean counts() {
        rounds++;
        return isReady;
    }

    void anyPause() {
        Thread.onSpinWait();
    }

    void byAnyMethodOfNothing() {
        while (!isReady) {
            anyPause();
        }
    }

    void usedByMethodWithEffect() {
        while (!counts()) {
            Thread.onSpinWait();
        }
    }

    private synchronized boolean isLocked() {
        return isReady;
    }

    void usedUnderLock() {
        while (!isLocked()) {
            Thread.onSpinWait();
        }
    }

    private boolean catches() {
        try {
            return isReady;
        } catch (RuntimeException e) {
            return false;
        }
    }

    void usedByMethodThatCatches() {
        while (!catches()) {
            Thread.onSpinWait();
        }
    }

    int usedByMethodToCount(Object done) {
        int looks = 0;
        while (!isDone(done, plain)) {
            looks++;
        }
        return looks;
    }

    Object looksAndPuts(String key) {
        Object value = map.get(key);
        if (value == null) {
            Object made = new StringBuilder(key);
            value = map.putIfAbsent(key, made);
            if (value == null) {
                value = made;
            }
        }
        return value;
    }

    void looksAgainForAConstant() {
        if (!map.containsKey("key")) {
            synchronized (this) {
                if (!map.containsKey("key")) {
                    map.put("key", "new");
                }
            }
        }
    }

    int retriesByLocal() {
        boolean isSet;
        int c;
        do {
            c = n.get();
            isSet = n.compareAndSet(c, c + 1);
        } while (!isSet);
        return c;
    }

    int retriesWhileNotSet() {
        boolean isSet = false;
        int c = 0;
        while (!isSet) {
            c = n.get();
            isSet = n.compareAndSet(c, c + 1);
        }
        return c;
    }

    boolean triesAndStays() {
        int c = n.get();
        boolean isSet = n.compareAndSet(c, c + 1);
        for (;;) {
        }
    }

    int usedIfNotSet() {
        int last = 0;
        boolean isSet;
        do {
            int c = n.get();
            isSet = n.compareAndSet(c, c + 1);
            if (!isSet) {
                last = c;
            }
        } while (!isSet);
        return last;
    }

    Integer looksAndPutsBack(Integer key) {
        Integer value = numbers.get(key);
        if (value == null) {
            value = make(key);
            Integer other = numbers.putIfAbsent(key, value);
            if (other != null) {
                value = other;
            }
        }
        return value;
    }

    static Integer make(Integer key) {
        return key + rounds++;
    }

    Integer looksAndReturns(int key) {
        Integer value = numbers.get(key);
        if (value != null) {
            return value;
        }
        Integer other = numbers.putIfAbsent(key, key);
        return other != null ? other : Integer.valueOf(key);
    }

    Object looksAndComputes(String key) {
        Object value = map.get(key);
        return value != null ? value : map.computeIfAbsent(key, k -> new StringBuilder(k));
    }

    void asksAndPuts() {
        if (!map.containsKey("key")) {
            map.putIfAbsent("key", new StringBuilder());
        }
    }

    void asksAndComputes(String key) {
        if (map.get(key) == null) {
            map.computeIfAbsent(key, StringBuilder::new);
        }
    }

    Object looksAndPutsAndLooks(String key) {
        Object value = map.get(key);
        if (value == null) {
            map.putIfAbsent(key, "new");
            value = map.get(key);
        }
        return value;
    }

    void spinsForKey(String key) {
        while (!map.containsKey(key)) {
            Thread.onSpinWait();
        }
    }

    Object looksAgainInMap(String key) {
        Object value = map.get(key);
        if (value == null) {
            synchronized (map) {
                value = map.get(key);
                if (value == null) {
                    value = "new";
                    map.put(key, value);
                }
            }
        }
        return value;
    }

    void usedToPut(String key) {
        if (!map.containsKey(key)) {
            map.put(key, "new");
        }
    }

    void usedToCountKeys(String key) {
        if (!map.containsKey(key)) {
            map.putIfAbsent(key, "new");
            rounds++;
        }
    }

    void usedToCountOthers(String key) {
        if (!map.containsKey(key)) {
            map.putIfAbsent(key, "new");
        } else {
            rounds++;
        }
    }

    boolean usedToTell(String key) {
        if (!map.containsKey(key)) {
            map.putIfAbsent(key, "new");
            return true;
        }
        return false;
    }

    boolean usedToTellLater(String key) {
        boolean isNew = false;
        if (map.get(key) == null) {
            map.putIfAbsent(key, "new");
            isNew = true;
        }
        return isNew;
    }

    Object usedForOwn(String key) {
        Object value = map.get(key);
        if (value == null) {
            value = "new";
            map.putIfAbsent(key, value);
        }
        return value;
    }

    void usedForOtherKey(String key, String other) {
        if (map.get(key) == null) {
            map.putIfAbsent(other, "new");
        }
    }

    void usedForChangedKey(String key) {
        String k = key;
        if (map.get(k) == null) {
            k = k.trim();
            map.putIfAbsent(k, "new");
        }
    }

    void usedInChangingMap(String key) {
        if (changingMap.get(key) == null) {
            changingMap.putIfAbsent(key, "new");
        }
    }

    void usedBeforeACall(String key) {
        if (map.get(key) == null) {
            System.out.println(key);
            map.putIfAbsent(key, "new");
        }
    }

    void usedWithTwoCalls(Integer key) {
        if (numbers.get(key) == null) {
            Integer unused = make(key);
            numbers.putIfAbsent(key, make(unused));
        }
    }

    void usedIfItFails(Integer key) {
        if (numbers.get(key) == null) {
            try {
                numbers.putIfAbsent(key, make(key));
            } catch (RuntimeException e) {
                rounds++;
            }
        }
    }

    void spinsForLock() {
        while (!isStarted.compareAndSet(false, true)) {
            while (isStarted.get()) {
                Thread.onSpinWait();
            }
        }
    }

    void spinsToSet() {
        while (isReady) {
            Thread.onSpinWait();
        }
        isReady = true;
    }

    void spinsForAWhile(long end) {
        while (!isReady && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    void spinsByAnyMethod() {
        while (!canBeOverridden()) {
            Thread.onSpinWait();
        }
    }

    int usedAfterFailure() {
        int last = 0;
        for (;;) {
            int c = n.get();
            if (n.compareAndSet(c, c + 1)) {
                return last;
            }
            last = c;
        }
    }

    int usedByOther() {
        int c;
        do {
            c = n.get();
        } while (!COUNT.compareAndSet(c, c + 1));
        return c;
    }

    int retriesBesides() {
        int limit;
        int c;
        do {
            limit = plain;
            c = n.get();
        } while (!n.compareAndSet(c, limit));
        return c;
    }

    int usedBeforeAWrite() {
        for (;;) {
            int c = n.get();
            rounds++;
            if (n.compareAndSet(c, c + 1)) {
                return c;
            }
        }
    }

    int usedBeforeAWriteOfFailure() {
        for (;;) {
            int c = n.get();
            if (n.compareAndSet(c, c + 1)) {
                return c;
            }
            rounds++;
        }
    }

    int usedByACall() {
        for (;;) {
            int c = n.get();
            System.out.println(c);
            if (n.compareAndSet(c, c + 1)) {
                return c;
            }
        }
    }

    int usedOfAnotherObject() {
        int c;
        do {
            c = changing.get();
        } while (!changing.compareAndSet(c, c + 1));
        return c;
    }

    int usedForDecision() {
        int c = n.get();
        boolean isLarge = c > 5;
        while (!n.compareAndSet(7, 8)) {
            Thread.onSpinWait();
        }
        return isLarge ? 1 : 0;
    }

    int usedToCount() {
        int looks = 0;
        while (!isReady) {
            looks++;
        }
        return looks;
    }

    int usedInOrdinaryLoop() {
        int sum = 0;
        for (int i = 0; i < plain; i++) {
            sum += i;
        }
        return sum;
    }

    void usedForOtherLook() {
        if (made == null) {
            synchronized (this) {
                if (other == null) {
                    made = "new";
                }
            }
        }
    }

    Object usedAfterLook() {
        Object first = made;
        if (first == null) {
            synchronized (this) {
                if (made == null) {
                    made = "new";
                }
            }
        }
        return first;
    }

    void usedBetweenLooks() {
        if (made == null) {
            synchronized (this) {
                rounds++;
                if (made == null) {
                    made = "new";
                }
            }
        }
    }

    void usedAfterLock() {
        if (made == null) {
            synchronized (this) {
                if (made == null) {
                    made = "new";
                }
            }
            rounds++;
        }
    }

    void usedUnderLockAnyway() {
        if (made == null) {
            lock.lock();
            try {
                if (made == null) {
                    made = "new";
                }
                System.out.println("looked");
            } finally {
                lock.unlock();
            }
        }
    }

    void looksAgainAndThrows() {
        if (made != null) {
            throw new IllegalStateException("made");
        }
        synchronized (this) {
            if (made != null) {
                throw new IllegalStateException("made");
            }
            made = "new";
        }
        rounds++;
    }

    Object looksAgainAndReturns() {
        Object result = made;
        if (result != null) {
            return result;
        }
        synchronized (this) {
            if (made == null) {
                made = "new";
            }
            return made;
        }
    }

    void looksAgainInLoop() {
        while (!isReady) {
            synchronized (this) {
                if (isReady) {
                    break;
                }
                rounds++;
            }
        }
    }

    boolean usedAsFlag() {
        boolean isFirst;
        if (made == null) {
            isFirst = true;
            synchronized (this) {
                if (made == null) {
                    made = "new";
                }
            }
        } else {
            isFirst = false;
        }
        return isFirst;
    }
}
