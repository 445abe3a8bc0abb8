package dev.regiontrack.instrument.profile;

import dev.regiontrack.runtime.bridge.Bridge;
import dev.regiontrack.runtime.models.ModelTable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * What is to be watched according to the profile of earlier runs. Without a profile, and in a first run, everything is.
 *
 * <p>The bridge reads and writes the file, and judges each class by its name and bytes: new or changed ones are watched whole, and so are, as far as
 * time allows, those in the slice of this run. For all others the facts say what is watched ({@link Watching}).
 */
public final class Guide {
    /** Everything is watched, and nothing is learnt. */
    public static final Guide NONE = new Guide(null, false, "");
    /** In place of a block: every block. */
    private static final String ALL = "*";

    private final Bridge bridge;
    private final boolean learns;
    /** By kind; see {@code jni-bridge/src/profile}. */
    private final Map<String, Set<String>> facts = new HashMap<>();
    /** Names of fields that are watched in some class. */
    private final Set<String> names = new HashSet<>();
    /** Classes whose methods have places or blocks that are watched. */
    private final Set<String> placed = new HashSet<>();
    /** Methods with places whose references originate in the method. */
    private final Set<String> placedIn = new HashSet<>();
    private boolean hasCallsByOtherMethods;
    private final boolean isGuided;
    /** By known class: the nearest unknown class above it, if that is not {@code Object}. */
    private final Map<String, String> extended = new HashMap<>();
    /** How loaded classes are watched, by name, for when other agents change them. */
    private final Map<String, Integer> judged = new ConcurrentHashMap<>();

    private Guide(Bridge bridge, boolean learns, String text) {
        this.bridge = bridge;
        this.learns = learns;
        isGuided = !text.isEmpty();
        for (String line : text.split("\n")) {
            int space = line.indexOf(' ');
            add(space < 0 ? line : line.substring(0, space), space < 0 ? "" : line.substring(space + 1));
        }
    }

    /** Returns the bridge's guide: {@code guided} if earlier runs have left a profile, {@code learns} if this run adds to it. */
    public static Guide of(Bridge bridge, boolean guided, boolean learns) {
        if (guided || learns) {
            ModelTable.findJoining();
        }
        String facts = guided ? bridge.facts() : "";
        return guided || learns ? new Guide(bridge, learns, facts == null ? "" : facts) : NONE;
    }

    private void add(String kind, String text) {
        Set<String> of = facts.get(kind);
        if (of == null) {
            of = new HashSet<>();
            facts.put(kind, of);
        }
        of.add(text);
        int open = text.indexOf('(');
        if (kind.equals("extends")) {
            int space = text.lastIndexOf(' ');
            extended.put(text.substring(0, space), text.substring(space + 1));
        } else if (kind.equals("field")) {
            names.add(text.substring(text.lastIndexOf('.') + 1));
        } else if (open >= 0) {
            placed.add(text.substring(0, text.lastIndexOf('.', open)));
            int end = text.indexOf(':', text.indexOf(')', open));
            if (end >= 0) {
                placedIn.add(text.substring(0, end));
                hasCallsByOtherMethods |= kind.equals("call");
            }
        } else if (kind.equals("monitor")) {
            placed.add(text.endsWith(".class") ? text.substring(0, text.length() - ".class".length()) : text);
        }
    }

    /** Whether only a part of the program is watched. */
    public boolean isGuided() {
        return isGuided;
    }

    /** Whether sites are to give the profile's names of their variables. */
    boolean learns() {
        return learns;
    }

    boolean has(String kind, String text) {
        Set<String> of = facts.get(kind);
        return of != null && of.contains(text);
    }

    /** Whether calls of some library objects are watched. */
    boolean hasCalls() {
        return facts.containsKey("call");
    }

    /** Whether calls of library objects that a method gets from other methods are watched. */
    boolean hasCallsByOtherMethods() {
        return hasCallsByOtherMethods;
    }

    boolean keepsEveryBlock() {
        return has("block", ALL);
    }

    boolean hasName(String field) {
        return names.contains(field);
    }

    boolean hasPlacesIn(String type) {
        return placed.contains(type);
    }

    boolean hasPlacesInMethod(String method) {
        return placedIn.contains(method);
    }

    /** Whether references from this field matter: arrays, locks, or library objects that are watched. */
    boolean isOrigin(String field) {
        return has("array", field) || has("array", field + "[]") || has("call", field) || has("monitor", field) || has("call", field + "[]");
    }

    /** Returns what is watched in a class, given by its internal name. */
    public Watching of(String internalName, byte[] bytes) {
        if (bridge == null) {
            return Watching.everything();
        }
        String name = internalName.replace('/', '.');
        long checksum = checksum(bytes);
        int judgement = bridge.judge(name, checksum);
        judged.put(name, judgement);
        return new Watching(this, name, checksum, judgement);
    }

    /** The same for a class that is loaded, and whose bytes have changed. */
    public Watching again(String internalName) {
        if (bridge == null) {
            return Watching.everything();
        }
        String name = internalName.replace('/', '.');
        return new Watching(this, name, 0, judged.getOrDefault(name, Watching.WHOLE));
    }

    /** Two checksums of 32 bits, which the JVM computes fast. */
    private static long checksum(byte[] bytes) {
        CRC32 one = new CRC32();
        CRC32C other = new CRC32C();
        one.update(bytes, 0, bytes.length);
        other.update(bytes, 0, bytes.length);
        return one.getValue() << 32 | other.getValue();
    }

    /** Reports what was watched in a class: {@code what} is a description's number. */
    void tell(int what, String text) {
        bridge.describe(what, 0, text);
    }

    /** Whether a call waits for others, is one of a lock or hands something over, as far as the declared receiver shows. */
    boolean canJoin(String internalName, boolean isInterface, String method) {
        String owner = internalName.replace('/', '.');
        if (!isInterface && has("class", owner)) {
            String above = extended.get(owner);
            return above != null && ModelTable.canJoin(above, method);
        }
        return ModelTable.canJoin(owner, method);
    }
}
