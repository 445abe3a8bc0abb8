package dev.regiontrack.instrument.classes;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.google.common.cache.CacheBuilder;
import dev.regiontrack.Tables;
import dev.regiontrack.instrument.RuntimeNames;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Where the caches of libraries get hooks. */
public class CachesTest {
    private static final String GUAVA = "com/google/common/cache/LocalCache$Segment";
    private static final String CAFFEINE = "com/github/benmanes/caffeine/cache/";

    private static ClassNode read(byte[] bytes) {
        ClassNode type = new ClassNode();
        new ClassReader(bytes).accept(type, 0);
        return type;
    }

    /** Returns the hooks in a class, each with the local that it gets last. */
    private static List<String> hooks(String name) throws IOException {
        try (InputStream in = CacheBuilder.class.getResourceAsStream('/' + name + ".class")) {
            List<String> found = new ArrayList<>();
            for (MethodNode method : read(Caches.hooked(name, in.readAllBytes())).methods) {
                for (AbstractInsnNode i : method.instructions) {
                    if (i instanceof MethodInsnNode && ((MethodInsnNode) i).owner.equals(RuntimeNames.LOADS)) {
                        AbstractInsnNode key = i.getPrevious();
                        String of = method.name.replaceAll("[0-9]+$", "");
                        found.add(of + " " + ((MethodInsnNode) i).name + " " + ((VarInsnNode) key).var);
                    }
                }
            }
            return found;
        }
    }

    @Test
    public void a_hook_is_where_a_cache_puts_in_what_it_has_loaded() throws Exception {
        assertEquals(List.of("storeLoadedValue storing 1", "storeLoadedValue stored 1", "storeLoadedValue stored 1"), hooks(GUAVA));
        assertEquals(List.of("loadAll putting 9"), hooks("com/google/common/cache/LocalCache"));
        assertEquals(List.of("lambda$computeIfAbsent$ loaded 5", "lambda$computeIfAbsent$ loaded 5"), hooks(CAFFEINE + "UnboundedLocalCache"));
        assertEquals(List.of("lambda$refreshIfNeeded$ again 0", "lambda$doComputeIfAbsent$ loaded 3", "lambda$doComputeIfAbsent$ loaded 3"),
            hooks(CAFFEINE + "BoundedLocalCache").stream().sorted(java.util.Comparator.reverseOrder()).collect(java.util.stream.Collectors.toList()));
        assertEquals(List.of("bulkLoad each 0"), hooks(CAFFEINE + "LocalManualCache"));
        assertEquals(List.of("lambda$refresh$ again 0"), hooks(CAFFEINE + "LocalLoadingCache"));
        assertEquals(List.of("getAll added 7"), hooks(CAFFEINE + "LocalAsyncCache"));
    }

    @Test
    public void the_iterators_say_what_their_map_has_removed() throws Exception {
        for (String name : List.of("com/google/common/cache/LocalCache$HashIterator", "com/google/common/collect/MapMakerInternalMap$HashIterator",
            CAFFEINE + "BoundedLocalCache$EntryIterator", CAFFEINE + "UnboundedLocalCache$KeyIterator", CAFFEINE + "UnboundedLocalCache$ValuesIterator",
            CAFFEINE + "UnboundedLocalCache$EntryIterator")) {
            assertEquals(name, List.of("remove"), removals(name));
        }
    }

    /** Returns the calls before the hooks of removals. */
    private static List<String> removals(String name) throws IOException {
        try (InputStream in = CacheBuilder.class.getResourceAsStream('/' + name + ".class")) {
            List<String> found = new ArrayList<>();
            for (MethodNode method : read(Caches.hooked(name, in.readAllBytes())).methods) {
                for (AbstractInsnNode i : method.instructions) {
                    if (i instanceof MethodInsnNode && ((MethodInsnNode) i).owner.equals(RuntimeNames.REMOVALS)) {
                        found.add(((MethodInsnNode) i.getPrevious().getPrevious()).name);
                    }
                }
            }
            return found;
        }
    }

    @Test
    public void no_class_has_them_without_a_model() {
        Tables.load("class com.google.common.cache.LocalCache\nkey-read get");
        assertTrue(Caches.have(GUAVA));
        assertFalse(Caches.have("com/google/common/cache/LocalCache$Strength"));
        Tables.load("");
        assertFalse(Caches.have(GUAVA));
    }
}
