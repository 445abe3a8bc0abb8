package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;

/**
 * Decides for calls whose declared receiver is a class of the program whether that class extends a class, or has an interface, with a model. The
 * first call at a site decides it, for the declared class and every subclass, since no class between the two is of the platform. A call by an
 * interface of the program can have a model if the interface extends one of the platform, or if the first receiver has one.
 */
final class Inherited {
    private static final byte NOTHING = 1;
    private static final byte SOMETHING = 2;
    /** By site. A thread that reads an outdated array decides again. */
    private static byte[] sites = new byte[1 << 10];

    private Inherited() {
    }

    /** Whether it is known that calls at the site have no model. */
    static boolean isNothing(int site) {
        byte[] all = sites;
        return site < all.length && all[site] == NOTHING;
    }

    /** Whether objects of the class inherit a model, which is remembered for the site. {@code method} is from {@link ModelTable#method}. */
    static boolean has(Class<?> type, ThreadState t, int site, int method) {
        byte[] all = sites;
        if (site >= all.length || all[site] == 0) {
            all = decide(type, t, site, ModelTable.name(method));
        }
        return all[site] == SOMETHING;
    }

    private static byte[] decide(Class<?> type, ThreadState t, int site, String method) {
        try (Inside inside = t.inside()) {
            Class<?> nearest = ModelTable.nearest(type);
            boolean hasModel = nearest != null;
            if (hasModel) {
                Session.owner(site, ClassModel.isPlatform(nearest) && !nearest.isInterface() ? ofPlatform(type).getName() : nearest.getName());
            }
            String declared = method.substring(0, Math.max(method.indexOf(' '), 0));
            return remember(site, hasModel || isOfPlatform(type, declared, false) ? SOMETHING : NOTHING);
        }
    }

    /** Returns the nearest superclass that is of the platform. */
    private static Class<?> ofPlatform(Class<?> type) {
        Class<?> c = type;
        while (!ClassModel.isPlatform(c)) {
            c = c.getSuperclass();
        }
        return c;
    }

    /** Whether the class has the interface {@code declared}, and that extends one of the platform that classes with a model have. */
    private static boolean isOfPlatform(Class<?> type, String declared, boolean isBelow) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Class<?> i : c.getInterfaces()) {
                boolean isFound = isBelow || i.getName().equals(declared);
                if (isFound && ModelTable.isOfModels(i.getName()) || isOfPlatform(i, declared, isFound)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static synchronized byte[] remember(int site, byte what) {
        if (site >= sites.length) {
            sites = java.util.Arrays.copyOf(sites, Math.max(site + 1, 2 * sites.length));
        }
        sites[site] = what;
        return sites;
    }
}
