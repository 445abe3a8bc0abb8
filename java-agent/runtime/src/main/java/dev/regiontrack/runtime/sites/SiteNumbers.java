package dev.regiontrack.runtime.sites;

import dev.regiontrack.runtime.bodies.Sampling;
import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.threads.ThreadState;
import java.lang.ref.WeakReference;

/** The instrumenter's interface to the table of sites. */
public final class SiteNumbers {
    private final int first;
    private final int firstBlock;
    private final String in;
    private final WeakReference<ClassLoader> loader;

    private SiteNumbers(int first, int firstBlock, String in, ClassLoader loader) {
        this.first = first;
        this.firstBlock = firstBlock;
        this.in = in;
        this.loader = new WeakReference<>(loader);
    }

    /** Reserves numbers for the {@code n} sites in a class, named with dots, of which {@code blocks} are blocks; null if there are no more. */
    public static SiteNumbers reserve(int n, int blocks, String in, ClassLoader loader) {
        int first = Site.reserve(n);
        return first == 0 ? null : new SiteNumbers(first, Blocks.reserve(blocks), in, loader);
    }

    /** Returns the number by which hooks name the class's block with this index, whose method has this site. */
    public int block(int index, int site) {
        return ThreadState.EPOCHS ? firstBlock + index : first + site;
    }

    /** Describes a block to the reader of the items, after its site. */
    public void describeBlock(int index, int site) {
        if (ThreadState.EPOCHS) {
            Blocks.put(firstBlock + index, first + site);
            if (Sampling.isOn()) {
                Sampling.block(firstBlock + index, in);
            }
            Session.transport().describe(NativeBridge.BLOCK, firstBlock + index, Integer.toString(first + site));
        }
    }

    /** Returns the number of the class's first site. */
    public int first() {
        return first;
    }

    /**
     * Registers a site that names a class: to access a field of it ({@code name:descriptor}), to call a static method
     * of it ({@link ClassInfo#parameter}), or, with "", for the class itself.
     */
    public void member(int index, boolean isStatic, String owner, String member) {
        Site.put(first + index, isStatic, in, owner, member, loader);
    }

    /**
     * Registers a site that accesses an object made by the method, with the constructor of the site {@code maker}. An object with more fields than
     * {@code mostFields} keeps its hooks.
     */
    public void made(int index, int maker, int mostFields) {
        Site.made(first + index, first + maker, mostFields);
    }

    /** Describes a site to the reader of the records, by a {@link dev.regiontrack.runtime.bridge.SiteText}. */
    public void describe(int index, String text) {
        Session.transport().describe(NativeBridge.SITE, first + index, text);
    }
}
