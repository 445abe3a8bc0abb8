package dev.regiontrack.runtime.threads;

import dev.regiontrack.runtime.bridge.EventCodes;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.profile.Learning;
import dev.regiontrack.runtime.protocol.Probe;
import dev.regiontrack.runtime.protocol.Replaced;
import dev.regiontrack.runtime.protocol.Round;
import dev.regiontrack.runtime.protocol.Stamp;
import dev.regiontrack.runtime.sites.Blocks;
import dev.regiontrack.runtime.sites.JdkSites;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * A running thread in dependency mode: only items leave it, each an event with a dependency that is not implied.
 *
 * <p>A position grows only at each begin and at each item; an access stamps its variable with the thread's current position. So a stamp names an
 * epoch, in which the thread has no begin and no incoming edge: as sources of edges, all its accesses are equivalent. A segment begins with a block
 * or an item, and a block that has ended gives way to the segment of the block around it: what the thread has accessed since the last item, and since
 * the begins of all open blocks, is to others equivalent to what it accesses now. {@code analysis-core/src/protocol} specifies this too.
 *
 * <p>The open blocks are here; the reader learns of them from the next item, and never of a block without items. Other threads read only
 * {@link #open}. An item is handed over by a call, under the lock of its variable, after the sources' {@code open} was read and before any stamp is
 * stored.
 *
 * <p>In a guided run blocks begin late: a begin only notes the block, and the open blocks get their positions at the thread's next event. Between the
 * program's begin and that moment the thread has made no event, so the two are indistinguishable; most blocks end without an event.
 */
final class Epochs extends ThreadState implements Round.Host {
    private static final Unsafe U = Memory.U;
    private static final long OPEN = U.objectFieldOffset(Epochs.class, "open");
    private static final boolean IS_NESTED = Session.isNested();
    private static final boolean IS_GUIDED = Learning.isGuided();
    /**
     * The segment of a block that has not begun for others: it covers nothing, because no stamp, locked or not, and no number of a variable that
     * threads share lies in it.
     */
    private static final long NOTHING = Long.MIN_VALUE | 1L << Stamp.POSITION_BITS - 1;
    /** Stamps are exact up to this position; then the run is incomplete. A thread with 10^8 blocks a second gets there in twelve hours. */
    private static final long LAST = (1L << Stamp.POSITION_BITS - 1) - (1L << 32);
    /** Size of an open block, as a shift, and the offset of its number. */
    private static final int ENTRY = 4;
    private static final int BLOCK = 8;
    /** The initial capacity. */
    private static final int FEWEST = 16;
    /** Dependencies of an event in addition to readers. */
    private static final int FEW = 4;

    private static final int CHUNK = 1024;
    /** The running threads by number, in chunks; changed under the lock of {@link Threads}. */
    private static final Epochs[][] RUNNING = new Epochs[(Stamp.MAX_THREAD + 1) / CHUNK][];
    /** What the threads with these numbers have replaced, including ended threads, until the number is reused. */
    private static final Replaced[][] REPLACED = new Replaced[RUNNING.length][];
    /** Their rounds, in the same way. */
    private static final Round[][] ROUNDS = new Round[RUNNING.length][];

    /** This thread's stamp with position 0. */
    private final long me;
    /** Position of the begin of the outermost open block; 0 if none is open. */
    private long open;
    /** Address of the open blocks, from the outermost: the position of the begin, the number. And how many fit. */
    private long stack;
    private int room = FEWEST;
    /** A block can end at once if at least this many stay open. */
    private int floor;
    /** How many of the open blocks, from the outermost, the reader knows. */
    private int known;
    /** How many blocks the reader considers open. */
    private int told;
    /** How many of the open blocks, from the outermost, the thread has waited in. */
    private int waited;

    /** The position of the last item, or the first position. */
    private long entered;

    /** The stamps on which the next event depends, and the sites of those events. */
    private long[] sources = new long[2 * FEW];
    private int[] sourceSites = new int[2 * FEW];
    private int count;
    /** Where a run learns: the sites of the events on which the next event depends by implied dependencies. */
    private int[] crossed = new int[2 * FEW];
    private int crossings;
    /** Whether the data of a violation are {@link #sought}. */
    private boolean seeks;
    /** The stamp of the fork. */
    private final long start;

    /** Address of the counts of instances, by block number, and how many there are. */
    private long counters;
    private int counted;
    private boolean isOver;

    Epochs(int number, Thread thread, long last, long forked, int forkedSite) {
        super(number, thread, last + 1, forked, forkedSite);
        me = (long) number << Stamp.POSITION_BITS;
        start = forked;
        seg = me | position;
        entered = position;
        stack = U.allocateMemory((long) room << ENTRY);
        bar();
    }

    // ---- the threads by number

    @Override
    void enter() {
        int chunk = number / CHUNK;
        if (RUNNING[chunk] == null) {
            REPLACED[chunk] = new Replaced[CHUNK];
            ROUNDS[chunk] = new Round[CHUNK];
            RUNNING[chunk] = new Epochs[CHUNK];
        }
        REPLACED[chunk][number % CHUNK] = null;
        ROUNDS[chunk][number % CHUNK] = null;
        RUNNING[chunk][number % CHUNK] = this;
    }

    @Override
    void leave() {
        Epochs[] chunk = RUNNING[number / CHUNK];
        if (chunk[number % CHUNK] == this) {
            chunk[number % CHUNK] = null;
        }
    }

    /**
     * Returns the begin of the outermost open block of the thread that has this stamp, if that is not after the stamp; else 0.
     * Any thread that has the stamp sees its thread in the table. A later thread with the same number has later begins.
     */
    private static long openAt(long stamp) {
        int number = Stamp.thread(stamp);
        Epochs u = RUNNING[number / CHUNK][number % CHUNK];
        long begin = u == null ? 0 : U.getLongAcquire(u, OPEN);
        return begin <= (stamp & Stamp.POSITION) ? begin : 0;
    }

    // ---- blocks

    /** A few stores, unless something else must be done first. */
    @Override
    public int begin(int block) {
        int d = depth;
        if (d >= limit || block >= counted) {
            d = prepare(block);
        }
        if (BEGINS_LATE) {
            U.putLong(stack + ((long) d << ENTRY) + BLOCK, block);
            count(block);
            seg = NOTHING;
        } else if (IS_NESTED || d == 0) {
            long p = position + 1;
            long at = stack + ((long) d << ENTRY);
            if (LEARNS && d > 0) {
                Learning.reached((int) U.getLong(at - (1 << ENTRY) + BLOCK), Blocks.site(block));
            }
            U.putLong(at, p);
            U.putLong(at + BLOCK, block);
            count(block);
            position = p;
            seg = me | p;
            if (d == 0) {
                U.putLongRelease(this, OPEN, p);
            }
        }
        depth = d + 1;
        return d;
    }

    /** Counts an instance of a block. */
    @ForceInline
    private void count(int block) {
        long counter = counters + ((long) block << 3);
        U.putLong(counter, U.getLong(counter) + 1);
    }

    @Override
    @DontInline
    boolean place() {
        try {
            placeAll();
            return true;
        } catch (StackOverflowError e) {
            return false;
        }
    }

    /** Gives open blocks their positions. Any call can overflow the stack: {@code placed} then says how many have one. */
    private void placeAll() {
        while (placed < depth) {
            int d = placed;
            long p = position + 1;
            long at = stack + ((long) d << ENTRY);
            if (d > 0) {
                Learning.reached((int) U.getLong(at - (1 << ENTRY) + BLOCK), Blocks.site((int) U.getLong(at + BLOCK)));
            }
            U.putLong(at, p);
            if (d == 0) {
                U.putLongRelease(this, OPEN, p);
            }
            position = p;
            placed = d + 1;
            seg = d + 1 == depth ? me | p : NOTHING;
        }
    }

    /** Settles pending work, takes the fork if this is the thread's first event, makes room for the block; returns how many are open. */
    @DontInline
    private int prepare(int block) {
        settle();
        if (round == 0) {
            room(0);
            event(EventCodes.BEGIN, Blocks.site(block), 0, 0);
        }
        if (depth == room) {
            int larger = Math.max(FEWEST, 2 * room);
            stack = U.reallocateMemory(stack, (long) larger << ENTRY);
            room = larger;
        }
        if (block >= counted) {
            int n = Math.max(2 * counted, Blocks.count());
            counters = ring.counters(n);
            counted = n;
        }
        bar();
        return depth;
    }

    @Override
    public long outermost() {
        if (BEGINS_LATE) {
            placeAll();
        }
        return open;
    }

    /** A few stores, unless inner blocks have to be ended, or the reader has to be informed about this one. */
    @Override
    public void end(int block, boolean byException, int outer) {
        try {
            int d = depth - 1;
            if (d == outer && d >= floor) {
                if (BEGINS_LATE && d > placed) {
                    depth = d;
                } else {
                    leave(d);
                }
                return;
            }
            endAll(outer);
        } catch (StackOverflowError e) {
            // No calls are allowed here.
            owedEnds = depth - outer;
            limit = 0;
            floor = Integer.MAX_VALUE;
        }
    }

    /** A block has ended; for other threads, the block around it has begun, if there is one. */
    @ForceInline
    private void leave(int d) {
        if (d == 0) {
            U.putLongRelease(this, OPEN, 0L);
        }
        if (BEGINS_LATE) {
            placed = d;
        }
        depth = d;
        returnToSegment(d);
    }

    /** A separate method, so that it is not compiled into each method that ends a block. */
    @DontInline
    private void endAll(int outer) {
        settle();
        while (depth > outer) {
            if (round == TENTATIVE && (IS_NESTED || depth == 1) && reads.ends(depth)) {
                useRound();
            }
            endInnermost();
        }
    }

    @Override
    void endInnermost() {
        int d = depth - 1;
        if (d == 0) {
            U.putLongRelease(this, OPEN, 0L);
        }
        placed = d < placed ? d : placed;
        depth = d;
        returnToSegment(d);
        known = d < known ? d : known;
        waited = d < waited ? d : waited;
        if (floor != Integer.MAX_VALUE) {
            floor = known > waited ? known : waited;
        }
    }

    /** A block is over: the segment becomes that of the block around it, which is one of {@code d}, or that outside any block. */
    private void returnToSegment(int d) {
        if (BEGINS_LATE && d > placed) {
            seg = NOTHING;
        } else if (IS_NESTED || d == 0) {
            long begin = d == 0 ? 0 : U.getLong(stack + ((long) (d - 1) << ENTRY));
            seg = me | (begin > entered ? begin : entered);
        }
    }

    @Override
    public void bar() {
        boolean isBarred = wait.isOpen() || owedEnds != 0 || isAway || round != 0;
        limit = isBarred || forked != 0 ? 0 : room;
        floor = isBarred ? Integer.MAX_VALUE : Math.max(known, waited);
    }

    /** Returns how many of the open blocks are watched. */
    private int watched() {
        return IS_NESTED ? depth : Math.min(depth, 1);
    }

    // ---- items

    @Override
    public void room(int readers) {
        if (round != 0) {
            useRound();
        }
        makeRoom(readers);
    }

    @Override
    public void roomToLook(int readers) {
        if (round == SETTLED) {
            finishRound();
        }
        makeRoom(readers);
    }

    private void makeRoom(int readers) {
        if (BEGINS_LATE) {
            placeAll();
        }
        reserve(readers);
        count = 0;
        crossings = 0;
        if (seeks) {
            sought.clear();
        }
        if (forked != 0) {
            depend(forked, forkedSite);
            if (count == 0) {
                forked = 0;
                bar();
            }
        }
    }

    private void reserve(int readers) {
        ring.room(records(readers));
        int n = readers + FEW;
        if (sources.length < n) {
            sourceSites = new int[2 * n];
            crossed = new int[2 * n];
            sources = new long[2 * n];
        }
        if (position >= LAST && !isOver) {
            isOver = true;
            Session.lost("a thread with more than 4 trillion blocks and dependencies: what it does from then on");
        }
    }

    @Override
    public boolean hasRoom(int readers) {
        return ring.free() >= records(readers) && sources.length >= readers + FEW;
    }

    /** Returns the most records of an item. */
    private int records(int readers) {
        return told + depth + 2 * (readers + FEW) + 4;
    }

    @Override
    public void depend(long stamp, int site) {
        if (Stamp.isTentative(stamp)) {
            dependOnTentative(stamp, site);
            return;
        }
        if (stamp == 0 || Stamp.thread(stamp) == number || base != null && isOfBlock(stamp)) {
            return;
        }
        if (dependencies.imply(stamp)) {
            ring.implied++;
            if (seeks) {
                sought.crosses(stamp, site);
            }
            if (LEARNS && crossings < crossed.length && !isBeforeStart(stamp) && !isOfSame(stamp)) {
                crossed[crossings++] = site;
            }
            return;
        }
        // Only the first two, the fork and the last write, can have the same thread as a later source. The later event is a
        // source too, as in stream mode: which of them a finding shows depends on the block.
        for (int i = 0; i < count && i < 2; i++) {
            if (Stamp.thread(sources[i]) == Stamp.thread(stamp) && sources[i] >= stamp) {
                return;
            }
        }
        sources[count] = stamp;
        sourceSites[count] = site;
        count++;
    }

    @Override
    public void event(int code, int site, int extra, long word) {
        if (LEARNS) {
            learn(code, site);
        }
        if (seeks) {
            seek(code, site, extra, word);
        }
        if (count > 0) {
            item(code, site, extra, word);
        }
    }

    /** Handles an event while data are {@link #sought}. */
    @DontInline
    private void seek(int code, int site, int extra, long word) {
        seeks = sought.event(code, site, extra, word, this);
        owesStack |= sought.isFound();
    }

    /** Begins to seek the data of the violation that an event has shown. If that fails, they are not reported. */
    private void beginSeeking(int code, int extra, long word) {
        try {
            if (sought == null) {
                sought = new Sought();
            }
            sought.begin(code, extra, word, open);
            seeks = true;
        } catch (OutOfMemoryError | StackOverflowError e) {
            seeks = false;
        }
    }

    /**
     * Looks for the last access of this thread to a variable among those that the thread of a stamp has replaced: stores its stamp and its site, or
     * 0.
     */
    void findReplaced(long stamp, long id, int slot, long[] to, int index) {
        int other = Stamp.thread(stamp);
        Replaced its = REPLACED[other / CHUNK][other % CHUNK];
        if (its == null) {
            to[index] = 0;
            to[index + 1] = 0;
        } else {
            its.find(id, slot, number, to, index);
        }
    }

    @Override
    @DontInline
    public Replaced replaces() {
        Replaced its = new Replaced();
        U.storeFence();
        REPLACED[number / CHUNK][number % CHUNK] = its;
        replaced = its;
        return its;
    }

    /**
     * Marks for the profile what this event shows to be shared: the variables of both ends of a dependency that is not implied, and what is written
     * after accesses by others, or acquired after releases by others. A read of what another thread has written is marked, too, although that
     * dependency is implied.
     */
    private void learn(int code, int site) {
        boolean isShared = crossings > 0 && code != EventCodes.READ;
        boolean isOpen = false;
        for (int i = 0; i < count; i++) {
            // The dependency on a thread's start says nothing about the variable of its first event.
            if (sources[i] != forked && !isOfSame(sources[i])) {
                isOpen = true;
                Learning.markOpen(sourceSites[i]);
            }
        }
        isShared |= isOpen;
        for (int i = 0; i < crossings && isShared; i++) {
            Learning.mark(crossed[i]);
        }
        if (isOpen) {
            Learning.markOpen(site);
        } else if (isShared) {
            Learning.mark(site);
        } else if (crossings > 0) {
            Learning.markRead(site);
        }
        crossings = 0;
        reaches(site);
        if (IS_GUIDED && Learning.asksForCallers(site)) {
            calledAt = site;
            owesStack = true;
        }
    }

    /** Whether the stamp is of the thread that has started this one, from before the start. */
    private boolean isBeforeStart(long stamp) {
        return Stamp.thread(stamp) == Stamp.thread(start) && stamp <= start;
    }

    @Override
    public void replaces(long written, long sites, int site) {
        boolean isOthers = written != 0 && !isOfSame(written) && !isBeforeStart(written);
        if (isOthers) {
            Learning.mark(Stamp.writeSite(sites));
        }
        if (isOthers || (sites & Stamp.READ_BY_OTHERS) != 0) {
            Learning.mark(site);
        }
    }

    @Override
    public void reaches(int site) {
        int d = watched();
        if (d > 0) {
            Learning.reached((int) U.getLong(stack + ((long) (d - 1) << ENTRY) + BLOCK), site);
        }
    }

    /** Nothing is stored before the reader has the item, and nothing is called while the thread's state changes. */
    @DontInline
    private void item(int code, int site, int extra, long word) {
        item(code, site, extra, word, null, 0);
    }

    /** The same; {@code of} is null, or the item that of a read of a round, which has reserved its position. */
    private void item(int code, int site, int extra, long word, Round of, int read) {
        int n = count;
        int now = of == null ? watched() : of.blocks(read);
        ring.restart();
        if (of != null) {
            ring.put(EventCodes.TENTATIVE, 0, 0, of.stamp(read));
        }
        if (scope != knownScope) {
            ring.put(EventCodes.SCOPE, 0, 0, scope);
            knownScope = scope;
        }
        pops();
        for (int i = known; i < now; i++) {
            long at = stack + ((long) i << ENTRY);
            ring.put(EventCodes.PUSH, Blocks.site((int) U.getLong(at + BLOCK)), i < waited ? 1 : 0, U.getLong(at));
        }
        if ((code == EventCodes.READ || code == EventCodes.WRITE) && !holder.hasOtherLocks) {
            ring.put(EventCodes.LOCKS, 0, holder.locks > 0 ? 1 : 0, 0);
        }
        for (int i = 0; i < n; i++) {
            ring.put(EventCodes.DEPEND, sourceSites[i], 0, sources[i]);
            ring.put(EventCodes.OPEN, 0, 0, of == null ? openAt(Stamp.real(sources[i])) : of.open(read));
        }
        ring.put(code, site, extra, word);
        boolean isHit = ring.hand(of == null ? position + 1 : of.stamp(read) & Stamp.POSITION);
        if (of == null) {
            position++;
            seg = me | position;
            entered = position;
        }
        known = now;
        told = now;
        count = 0;
        // A dependency on the fork alone does not mean that something came while an operation ran.
        if (n != 1 || sources[0] != forked) {
            taken++;
        }
        if (isHit) {
            isViolated = true;
            owesStack = true;
        }
        if (floor < now) {
            floor = now;
        }
        boolean isFirst = forked != 0;
        forked = 0;
        remember(n, isFirst);
        if (isHit) {
            beginSeeking(code, extra, word);
        }
    }

    private void pops() {
        for (int i = told; i > known; i--) {
            ring.put(EventCodes.POP, 0, 0, 0);
        }
    }

    /**
     * Makes these dependencies implied from now on. If that cannot be noted, they are handed over again, which is harmless; so is it if shortcuts
     * stay barred after the first item.
     */
    private void remember(int n, boolean isFirst) {
        try {
            if (isFirst) {
                bar();
            }
            for (int i = 0; i < n; i++) {
                if (!Stamp.isTentative(sources[i])) {
                    dependencies.add(sources[i]);
                }
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // Harmless, see above.
        }
    }

    /** An overflow never comes late here. */
    @Override
    public StackOverflowError tryEvent(int code, int site, int extra, long word) {
        event(code, site, extra, word);
        return null;
    }

    // ---- rounds

    /** Not before the thread has taken its fork: if nothing but withdrawn reads followed, it would seem to have acted. */
    @Override
    public void beginRound() {
        useRound();
        settle();
        if (limit == 0 || asking != 0 || Probe.ON) {
            return;
        }
        if (reads == null) {
            reads = new Round(this, this);
            U.storeFence();
            ROUNDS[number / CHUNK][number % CHUNK] = reads;
        }
        if (BEGINS_LATE) {
            placeAll();
        }
        reads.begin(position, watched());
        round = TENTATIVE;
        bar();
    }

    @Override
    public void withdrawReads() {
        if (round == TENTATIVE) {
            reads.settle(false);
            finishRound();
        }
    }

    @Override
    public void useReads() {
        if (round == TENTATIVE) {
            reads.settle(true);
            round = SETTLED;
        }
    }

    @Override
    public void useRound() {
        useReads();
        if (round == SETTLED) {
            finishRound();
        }
    }

    @Override
    void finishRound() {
        reads.finish();
        round = 0;
        bar();
    }

    @Override
    public long openOf(long stamp) {
        return openAt(stamp);
    }

    @Override
    public int blocks() {
        return watched();
    }

    @Override
    public long reserve(boolean startsSegment) {
        position++;
        if (startsSegment) {
            seg = me | position;
            entered = position;
        }
        return me | position;
    }

    @Override
    public void use(Round its, int read) {
        count = 0;
        crossings = 0;
        depend(its.written(read), its.writtenSite(read));
        if (seeks) {
            // What is implied for this read says nothing about the next event.
            sought.clear();
        }
        if (LEARNS) {
            learn(EventCodes.READ, its.site(read));
        }
        if (count > 0) {
            item(EventCodes.READ, its.site(read), its.slot(read), its.id(read), its, read);
        }
    }

    @Override
    public void settles(long read, boolean isUsed, long earlier, int earlierSite) {
        ring.restart();
        ring.put(EventCodes.SETTLED, 0, isUsed ? 1 : 0, read);
        if (!isUsed && earlier != 0) {
            ring.put(EventCodes.DEPEND, earlierSite, 0, earlier);
            ring.put(EventCodes.OPEN, 0, 0, openAt(earlier));
        }
        ring.hand(position);
    }

    @Override
    public void finishesRound() {
        ring.restart();
        ring.put(EventCodes.FINISHED, 0, 0, 0);
        ring.hand(position);
    }

    private void dependOnTentative(long stamp, int site) {
        int owner = Stamp.thread(Stamp.real(stamp));
        Round its = owner == number ? null : ROUNDS[owner / CHUNK][owner % CHUNK];
        long outcome = its == null ? 0 : its.outcome(stamp);
        if (!Stamp.isTentative(outcome)) {
            depend(outcome, site);
            return;
        }
        if (LEARNS) {
            Learning.markOpen(site);
        }
        sources[count] = outcome;
        sourceSites[count] = site;
        count++;
    }

    // ---- threads

    @Override
    public boolean fence(int site) {
        return false;
    }

    /** Takes the thread's own fork before, if that is pending. */
    @Override
    long forkStamp() {
        useRound();
        event(EventCodes.BEGIN_THREAD, forkedSite, 0, number);
        return last();
    }

    @Override
    void forks(ThreadState child, Thread thread) {
        waits();
        if (LEARNS) {
            // What the thread does from now on does not precede the start.
            position++;
            seg = me | position;
            entered = position;
            reaches(JdkSites.FORK);
        }
    }

    @Override
    void joins(ThreadRecord child, long end) {
        depend(end, 0);
        if (LEARNS && end != 0) {
            join(end);
        }
        event(EventCodes.JOIN, placeOf(JdkSites.JOIN), 0, child.number);
        waits();
    }

    /** The reader must learn which of its blocks have waited; for others, the record of their begin will say so. */
    @Override
    public void waits() {
        useRound();
        if (BEGINS_LATE) {
            placeAll();
        }
        hasWaited = true;
        int now = watched();
        if (waited < now) {
            waited = now;
            floor = floor < now ? now : floor;
            if (known > 0) {
                reserve(0);
                ring.restart();
                pops();
                ring.put(EventCodes.WAITED, 0, 0, known);
                ring.hand(position);
                told = known;
            }
        }
    }

    @Override
    void close() {
        useRound();
        U.putLongRelease(this, OPEN, 0L);
        super.close();
        U.freeMemory(stack);
        stack = 0;
        room = 0;
        depth = 0;
        placed = 0;
        bar();
    }
}
