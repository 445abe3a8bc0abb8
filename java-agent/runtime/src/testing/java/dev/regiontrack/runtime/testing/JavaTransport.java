package dev.regiontrack.runtime.testing;

import dev.regiontrack.runtime.bridge.Bridge;
import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Ring;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.memory.Memory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * A bridge without the native library ({@code -Dregiontrack.test.bridge=dev.regiontrack.runtime.testing.JavaTransport}): rings
 * from the internal Unsafe, drained by the threads themselves when they are full; the records are dropped, or kept with
 * {@code regiontrack.test.keep=true}.
 */
public final class JavaTransport implements Bridge {
    private static final int CAPACITY = Integer.getInteger("regiontrack.test.ring", 1024);
    private static final boolean IS_KEPT = Boolean.getBoolean("regiontrack.test.keep");
    private static final int MOST_TOLERATED = 100;

    /** By thread number: its open rings. */
    private static final TreeMap<Integer, Long> OPEN = new TreeMap<>();
    /** By thread number: its records so far. */
    private static final TreeMap<Integer, List<long[]>> KEPT = new TreeMap<>();
    private static final TreeMap<Integer, String> NAMES = new TreeMap<>();
    private static final TreeMap<Long, Integer> THREADS = new TreeMap<>();
    private static final List<String> DESCRIBED = new ArrayList<>();
    private static final int[] STATISTICS = {Ring.HEAD, Ring.IMPLIED, Ring.SLOW, Ring.REDUNDANT, Ring.COLLISIONS};
    private static final long[] CLOSED = new long[5];
    /** The variables that are a thread's part of something. Guarded by {@link #COUNTS}. */
    private static final Set<Long> SHARES = new HashSet<>();
    private static final long[] COUNTS = new long[NativeBridge.EXPECTED + 1];
    /** In dependency mode, by ring: its counters; by block: instances in threads that have ended. */
    private static final TreeMap<Long, long[]> COUNTERS = new TreeMap<>();
    private static final TreeMap<Integer, Long> INSTANCES = new TreeMap<>();

    @Override
    public String start(int layout, String options) {
        if (Boolean.getBoolean("regiontrack.test.verbose")) {
            Runtime.getRuntime().addShutdownHook(new Thread() {
                @Override
                public void run() {
                    print();
                }
            });
        }
        return options.replace(',', '\n');
    }

    /** The table in the file {@code regiontrack.test.models}, as that of the platform. */
    @Override
    public String[] models() {
        List<String> words = new ArrayList<>();
        String file = System.getProperty("regiontrack.test.models");
        try {
            for (String line : file == null ? List.<String>of() : Files.readAllLines(Path.of(file))) {
                String entry = line.replaceFirst("#.*", "").trim();
                if (!entry.isEmpty()) {
                    Collections.addAll(words, entry.split("\\s+"));
                    words.add(null);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // The ends of the three tables.
        Collections.addAll(words, null, null, null);
        return words.toArray(new String[0]);
    }

    /** What the file {@code regiontrack.test.plan} says. */
    @Override
    public String plan() {
        try {
            return Files.readString(Path.of(System.getProperty("regiontrack.test.plan")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean includes(String internalName) {
        return true;
    }

    /** It uses classes of the platform itself, without saying so. */
    @Override
    public boolean names(String internalName) {
        return false;
    }

    /** Every method except those that are hardly meant to be atomic. */
    @Override
    public String select(String classText) {
        StringBuilder answer = new StringBuilder();
        for (String line : classText.split("\n")) {
            String[] words = line.split("\t", -1);
            if (words[0].equals("method")) {
                answer.append(isAtomic(Integer.parseInt(words[1], 16), words[2], words[3]) ? '1' : '0');
            }
        }
        return answer.toString();
    }

    private static boolean isAtomic(int access, String name, String descriptor) {
        int synthetic = 0x1000;
        int bridge = 0x40;
        if ((access & (synthetic | bridge)) != 0) {
            return false;
        }
        switch (name) {
            case "<clinit>": return false;
            case "main": return !descriptor.equals("([Ljava/lang/String;)V");
            case "run": case "call": return !descriptor.startsWith("()");
            default: return true;
        }
    }

    @Override
    public void finish() {
        // Nothing to do.
    }

    @Override
    public long unwatched(int stripes, int blocks) {
        long bytes = (long) stripes * blocks << 3;
        long address = Memory.U.allocateMemory(bytes);
        Memory.U.setMemory(address, bytes, (byte) 0);
        return address;
    }

    @Override
    public int burst(boolean isBurst) {
        return -1;
    }

    @Override
    public int scope(int parent) {
        return parent + 1;
    }

    @Override
    public String repeat(int step, int scope) {
        return "this bridge repeats no tests";
    }

    @Override
    public String told(int scope) {
        return "nothing is analysed";
    }

    @Override
    public String facts() {
        return "";
    }

    @Override
    public int judge(String name, long checksum) {
        return 0;
    }

    @Override
    public long table(int which, long bytes) {
        return unwatched(1, (int) (bytes >> 3));
    }

    @Override
    public long open(int thread, long position, String name) {
        synchronized (JavaTransport.class) {
            NAMES.put(thread, name);
        }
        return make(thread, CAPACITY);
    }

    /** The name of the last thread that has had a number. */
    public static synchronized String name(int thread) {
        return NAMES.get(thread);
    }

    private static synchronized long make(int thread, int capacity) {
        long ring = made(thread, capacity);
        OPEN.put(thread, ring);
        return ring;
    }

    private static long made(int thread, int capacity) {
        long ring = Memory.U.allocateMemory(Ring.RECORDS + 16L * capacity);
        Memory.U.setMemory(ring, Ring.RECORDS, (byte) 0);
        Memory.U.putLong(ring + Ring.CAPACITY, capacity);
        KEPT.putIfAbsent(thread, new ArrayList<>());
        THREADS.put(ring, thread);
        return ring;
    }

    @Override
    public long full(long ring, int records) {
        return more(ring, records);
    }

    private static synchronized long more(long ring, int records) {
        drain(ring);
        int capacity = (int) Memory.U.getLong(ring + Ring.CAPACITY);
        if (records <= capacity) {
            return ring;
        }
        // At the end of the stack each of these calls can throw: then the thread keeps the ring that it has.
        int thread = THREADS.get(ring);
        long larger = made(thread, Integer.highestOneBit(records) * 4);
        long[] counters = COUNTERS.get(ring);
        if (counters != null) {
            COUNTERS.put(larger, counters);
        }
        OPEN.put(thread, larger);
        COUNTERS.remove(ring);
        THREADS.remove(ring);
        Memory.U.freeMemory(ring);
        return larger;
    }

    /** Keeps the records of an item, after one with code 0 that has its position. */
    @Override
    public boolean item(long buffer, int records, long position) {
        return kept(buffer, records, position);
    }

    private static synchronized boolean kept(long buffer, int records, long position) {
        if (IS_KEPT) {
            long[] item = new long[2 + 2 * records];
            item[1] = position;
            for (int i = 0; i < 2 * records; i++) {
                item[2 + i] = Memory.U.getLong(buffer + Ring.RECORDS + 8L * i);
            }
            KEPT.get(THREADS.get(buffer)).add(item);
        }
        return false;
    }

    @Override
    public long counters(long buffer, int n) {
        return counted(buffer, n);
    }

    /** The words are outside the heap; the array has their address, and how many there are. */
    private static synchronized long counted(long buffer, int n) {
        long address = Memory.U.allocateMemory(8L * n);
        Memory.U.setMemory(address, 8L * n, (byte) 0);
        long[] old = COUNTERS.put(buffer, new long[] {address, n});
        if (old != null) {
            Memory.U.copyMemory(old[0], address, 8 * old[1]);
            Memory.U.freeMemory(old[0]);
        }
        return address;
    }

    private static void count(long[] counters) {
        for (int i = 0; i < counters[1]; i++) {
            long n = Memory.U.getLong(counters[0] + 8L * i);
            if (n > 0) {
                INSTANCES.merge(i, n, Long::sum);
            }
        }
        Memory.U.freeMemory(counters[0]);
    }

    @Override
    public void pause(boolean gives) {
        if (gives) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close(long ring) {
        closed(ring);
    }

    private static synchronized void closed(long ring) {
        drain(ring);
        for (int i = 0; i < CLOSED.length; i++) {
            CLOSED[i] += Memory.U.getLong(ring + STATISTICS[i]);
        }
        long[] counters = COUNTERS.remove(ring);
        if (counters != null) {
            count(counters);
        }
        OPEN.remove(THREADS.remove(ring), ring);
        Memory.U.freeMemory(ring);
    }

    @Override
    public void describe(int what, int number, String text) {
        synchronized (COUNTS) {
            COUNTS[what]++;
            // Nothing is printed here, because the stack can be nearly full.
            boolean isTold = what >= NativeBridge.FAILED && what <= NativeBridge.TOLERATED && (what != NativeBridge.TOLERATED || COUNTS[what] <= MOST_TOLERATED);
            if (isTold || what == NativeBridge.SITE && IS_KEPT) {
                DESCRIBED.add(what + "\t" + number + "\t" + text);
            }
            String[] part = what == NativeBridge.PART ? text.split("\t", 3) : null;
            if (part != null && part[2].startsWith("part ")) {
                SHARES.add(Long.valueOf(part[0]));
            }
        }
    }

    /** Prints what failed, was lost or tolerated, and the counts. */
    public static void print() {
        for (String line : described()) {
            int what = line.charAt(0) - '0';
            if (what >= NativeBridge.FAILED) {
                String kind = what == NativeBridge.FAILED ? "failed: " : what == NativeBridge.LOST ? "lost: " : "tolerated: ";
                System.err.println("regiontrack: " + kind + line.substring(line.lastIndexOf('\t') + 1));
            }
        }
        System.err.println("regiontrack: " + summary());
    }

    private static void drain(long ring) {
        long head = Memory.U.getLongAcquire(null, ring + Ring.HEAD);
        long tail = Memory.U.getLong(ring + Ring.TAIL);
        long mask = Memory.U.getLong(ring + Ring.CAPACITY) - 1;
        if (IS_KEPT && head != tail) {
            long[] records = new long[(int) (head - tail) * 2];
            for (int i = 0; i < records.length; i += 2) {
                long at = ring + Ring.RECORDS + (tail + i / 2 & mask) * 16;
                records[i] = Memory.U.getLong(at);
                records[i + 1] = Memory.U.getLong(at + 8);
            }
            KEPT.get(THREADS.get(ring)).add(records);
        }
        Memory.U.putLongRelease(null, ring + Ring.TAIL, head);
    }

    /** One line of counts. */
    public static String summary() {
        long[] totals = new long[5];
        synchronized (JavaTransport.class) {
            for (int i = 0; i < totals.length; i++) {
                totals[i] = CLOSED[i];
                for (long ring : OPEN.values()) {
                    totals[i] += Memory.U.getLong(ring + STATISTICS[i]);
                }
            }
        }
        return "classes instrumented " + count(NativeBridge.INSTRUMENTED) + " skipped " + count(NativeBridge.SKIPPED) + " failed " + count(NativeBridge.FAILED)
            + ", lost " + count(NativeBridge.LOST) + ", tolerated " + count(NativeBridge.TOLERATED) + ", records " + totals[0] + ", implied " + totals[1]
            + ", slow " + totals[2] + ", redundant writes " + totals[3] + ", collisions " + totals[4];
    }

    /** All kept records, by thread number; reads the open rings up to their heads. */
    public static synchronized TreeMap<Integer, List<long[]>> records() {
        for (long ring : OPEN.values()) {
            drain(ring);
        }
        return KEPT;
    }

    /** How many descriptions of a kind there were. */
    public static long count(int what) {
        synchronized (COUNTS) {
            return COUNTS[what];
        }
    }

    /** True if the variable of an event is a thread's part of something, such as what threads have put into a queue. */
    public static boolean isShare(long variable) {
        synchronized (COUNTS) {
            return SHARES.contains(variable & Session.ID);
        }
    }

    /** What was lost or failed, and, if records are kept, the sites: {@code what<TAB>number<TAB>text}. */
    public static List<String> described() {
        synchronized (COUNTS) {
            return new ArrayList<>(DESCRIBED);
        }
    }
}
