package dev.regiontrack.runtime.sites;

/** The numbers of the methods that are blocks, in dependency mode: dense, so that each thread counts their instances in a small table. */
public final class Blocks {
    /** By block number: the site of the method. Replaced when it grows. */
    private static volatile int[] sites = new int[1024];
    private static int count;

    private Blocks() {
    }

    /** Reserves {@code n} block numbers; returns the first. */
    static synchronized int reserve(int n) {
        int first = count;
        count += n;
        if (count > sites.length) {
            sites = java.util.Arrays.copyOf(sites, Math.max(count, 2 * sites.length));
        }
        return first;
    }

    /** Registers a block, before its method can run. */
    static synchronized void put(int block, int site) {
        sites[block] = site;
    }

    public static int site(int block) {
        return sites[block];
    }

    public static synchronized int count() {
        return count;
    }
}
