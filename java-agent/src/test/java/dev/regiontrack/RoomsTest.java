package dev.regiontrack;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import dev.regiontrack.instrument.start.Start;
import dev.regiontrack.runtime.Rooms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/** The packages of the agent use each other in one direction, as the {@code package-info.java} of both halves say. */
public class RoomsTest {
    @Test
    public void rooms_of_the_runtime_use_those_before_them() throws Exception {
        List<String> order = List.of("memory", "bridge", "profile", "shadows sites protocol bodies threads", "steering", "replay", "hooks", "jdk", "models", "api");
        assertEquals(Set.of("threads/ThreadState uses models"), against(order, Rooms.class, "dev/regiontrack/runtime/"));
    }

    @Test
    public void rooms_of_the_instrumenter_use_those_before_them() throws Exception {
        List<String> order = List.of("selection", "frames", "profile", "flow", "code", "accesses", "calls", "platform", "classes", "start");
        assertEquals(Set.of(), against(order, Start.class, "dev/regiontrack/instrument/"));
    }

    /** Returns which classes use a room that comes later. Classes in no room may use all, and all may use them. */
    private static Set<String> against(List<String> order, Class<?> one, String half) throws Exception {
        Path folder = Paths.get(one.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder.resolve(half))) {
            files = all.filter(file -> file.toString().endsWith(".class")).collect(Collectors.toList());
        }
        assertTrue(folder.toString(), files.size() > 40);
        Set<String> found = new TreeSet<>();
        for (Path file : files) {
            ClassReader reader = new ClassReader(Files.readAllBytes(file));
            String user = reader.getClassName().substring(half.length());
            for (String used : used(reader)) {
                String room = used.startsWith(half) ? room(used.substring(half.length())) : "";
                if (!room.isEmpty() && place(room(user), order) < place(room, order)) {
                    found.add(user.replaceAll("\\$.*", "") + " uses " + room);
                }
            }
        }
        return found;
    }

    private static Set<String> used(ClassReader reader) throws IOException {
        Set<String> used = new TreeSet<>();
        reader.accept(new ClassRemapper(new ClassWriter(0), new Remapper(Opcodes.ASM9) {
            @Override
            public String map(String name) {
                used.add(name);
                return name;
            }
        }), 0);
        return used;
    }

    private static String room(String type) {
        return type.contains("/") ? type.substring(0, type.indexOf('/')) : "";
    }

    /** Returns the position of a room in the order. Classes in no room come last. */
    private static int place(String room, List<String> order) {
        for (int i = 0; i < order.size(); i++) {
            if (List.of(order.get(i).split(" ")).contains(room)) {
                return i;
            }
        }
        assertEquals("a room that has no place", "", room);
        return order.size();
    }
}
