package dev.regiontrack.runtime;

/**
 * Calls whose declared receiver is a class of the program: whether that extends a class of the platform that has a model. The first call at a site decides it,
 * for the declared class and every subclass: what is between these two is not of the platform.
 */
final class Inherited {
    private static final byte NOTHING = 1;
    private static final byte SOMETHING = 2;
    /** By site. A thread that finds an old array decides again. */
    private static byte[] sites = new byte[1 << 10];

    private Inherited() {
    }

    /** True if it is known that calls at the site have no model. */
    static boolean isNothing(int site) {
        byte[] all = sites;
        return site < all.length && all[site] == NOTHING;
    }

    /** True if objects of the class inherit a model, which is remembered for the site. */
    static boolean has(Class<?> type, ThreadState t, int site) {
        byte[] all = sites;
        if (site >= all.length || all[site] == 0) {
            all = decide(type, t, site);
        }
        return all[site] == SOMETHING;
    }

    private static byte[] decide(Class<?> type, ThreadState t, int site) {
        boolean wasInside = t.isInside;
        t.isInside = true;
        try {
            return remember(site, ModelTable.extendsModel(type) ? SOMETHING : NOTHING);
        } finally {
            t.isInside = wasInside;
        }
    }

    private static synchronized byte[] remember(int site, byte what) {
        if (site >= sites.length) {
            sites = java.util.Arrays.copyOf(sites, Math.max(site + 1, 2 * sites.length));
        }
        sites[site] = what;
        return sites;
    }
}
