package dev.regiontrack.instrument.profile;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import dev.regiontrack.Tables;
import dev.regiontrack.instrument.selection.ModelledCalls;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Where the receivers of calls, arrays and monitors come from. */
public class OriginsTest {
    static class Uses {
        static Map<String, long[]> shared = new HashMap<>();
        List<String> one = new ArrayList<>();
        List<String> other = new ArrayList<>();
        Object any = one;
        Uses next;

        void direct() {
            one.get(0);
            shared.get("k");
            next.other.get(1);
        }

        void throughLocals(long wide) {
            List<String> list = one;
            double much = wide * 2.0;
            for (int i = 0; i < much; i++) {
                list.get(i);
            }
            ((List<?>) any).get(0);
        }

        int throughViews() {
            int sum = 0;
            for (String name : one) {
                sum += name.length();
            }
            for (Iterator<String> keys = shared.keySet().iterator(); keys.hasNext();) {
                sum++;
            }
            return sum;
        }

        void either(boolean isOne, List<String> given) {
            (isOne ? one : other).get(0);
            (isOne ? one : given).get(0);
            given.get(0);
            List<String> list = one;
            while (list.get(0) != null) {
                list = other;
            }
            made().get(0);
        }

        void sameOnBothPaths(boolean isHere) {
            (isHere ? one : next.one).get(0);
        }

        void caught() {
            List<String> list = one;
            try {
                list.get(0);
            } catch (RuntimeException e) {
                list.get(1);
            }
        }

        static List<String> made() {
            return Collections.emptyList();
        }
    }

    @Before
    public void load() {
        Tables.load("group all\nread get hasNext next\nview iterator keySet\nclass java.util.ArrayList\nlike all");
    }

    @After
    public void unload() {
        Tables.load("");
    }

    /** Returns an entry for each call in a method that may be an operation, in order. */
    private static List<String> fields(String name) throws IOException {
        ClassNode type = new ClassNode();
        new ClassReader(Uses.class.getName()).accept(type, 0);
        List<String> found = new ArrayList<>();
        for (MethodNode method : type.methods) {
            Origins origins = Origins.of(type.name, method, false);
            for (AbstractInsnNode insn : method.instructions) {
                if (method.name.equals(name) && insn instanceof MethodInsnNode && ModelledCalls.isOperation((MethodInsnNode) insn)) {
                    String field = origins.fieldOf((MethodInsnNode) insn);
                    found.add(field == null ? null : field.replace(Uses.class.getName() + '.', ""));
                }
            }
        }
        return found;
    }

    @Test
    public void a_receiver_has_the_field_that_it_was_loaded_from() throws IOException {
        assertEquals(Arrays.asList("one", "shared", "other"), fields("direct"));
        assertEquals(Arrays.asList("one", "any"), fields("throughLocals"));
        assertEquals(Arrays.asList("one", "one"), fields("caught"));
        assertEquals(Arrays.asList("one"), fields("sameOnBothPaths"));
    }

    @Test
    public void a_view_has_the_field_of_its_collection() throws IOException {
        assertEquals(Arrays.asList("one", "one", "one", "shared", "shared", "shared"), fields("throughViews"));
    }

    @Test
    public void nothing_is_said_of_what_can_come_from_elsewhere() throws IOException {
        assertEquals(Arrays.asList(null, null, null, null, null), fields("either"));
    }

    /** The code before a call shows the same as an analysis of the whole method. */
    @Test
    public void what_is_found_near_a_call_is_what_is_found_in_the_method() throws IOException {
        Tables.load("group all\nread get size isEmpty contains containsKey hasNext next\nwrite add addAll put remove clear\nview iterator keySet values entrySet subList\n"
            + "class java.util.ArrayList\nlike all");
        int fields = 0;
        for (String jar : System.getProperty("regiontrack.asm").split(File.pathSeparator)) {
            fields += compare(jar);
        }
        for (Class<?> type : new Class<?>[] {Uses.class, Places.class, ArrayList.class, HashMap.class, Collections.class, java.util.Properties.class,
            java.util.concurrent.ConcurrentHashMap.class, java.util.concurrent.ThreadPoolExecutor.class, java.util.concurrent.CompletableFuture.class, java.util.logging.LogManager.class,
            java.util.jar.JarFile.class, java.net.URLClassLoader.class, java.text.SimpleDateFormat.class, java.util.Formatter.class, java.util.regex.Pattern.class}) {
            fields += compare(new ClassReader(type.getResourceAsStream('/' + type.getName().replace('.', '/') + ".class")));
        }
        assertTrue(fields + " receivers of calls come from fields", fields > 300);
    }

    private static int compare(String jar) throws IOException {
        int fields = 0;
        try (ZipFile file = new ZipFile(jar)) {
            for (ZipEntry entry : Collections.list(file.entries())) {
                if (entry.getName().endsWith(".class") && !entry.getName().endsWith("module-info.class")) {
                    fields += compare(new ClassReader(file.getInputStream(entry)));
                }
            }
        }
        return fields;
    }

    private static int compare(ClassReader reader) {
        ClassNode type = new ClassNode();
        reader.accept(type, ClassReader.EXPAND_FRAMES);
        int fields = 0;
        for (MethodNode method : type.methods) {
            Origins near = Origins.of(type.name, method, false);
            Origins all = Origins.of(type.name, method, true);
            for (AbstractInsnNode insn : method.instructions) {
                if (insn instanceof MethodInsnNode) {
                    MethodInsnNode call = (MethodInsnNode) insn;
                    String where = type.name + '.' + method.name + method.desc + ": " + call.owner + '.' + call.name;
                    assertEquals(where, all.fieldOf(call), near.fieldOf(call));
                    assertEquals(where, all.fieldOfArgument(call), near.fieldOfArgument(call));
                    fields += near.fieldOf(call) == null ? 0 : 1;
                }
            }
        }
        return fields;
    }

    // ---- what a profile calls them

    static class Places {
        static final Object[] STATICS = new Object[1];
        int[] data = new int[4];
        Object[][] rows = new Object[2][2];
        final Object lock = new Object();

        Object elements(int[] given, long wide, Object[] last) {
            int sum = data[0] + given[1];
            last[0] = STATICS[0];
            Object[] own = {sum};
            Object[] row = rows[1];
            row[0] = own[0];
            Object[] either = wide > 0 ? own : row;
            return either[0] == made()[0] ? rows : null;
        }

        static Object[] made() {
            return STATICS.clone();
        }

        synchronized void monitors(Object given) {
            synchronized (this) {
                synchronized (lock) {
                    synchronized (Places.class) {
                        synchronized (given) {
                            given.notify();
                        }
                    }
                }
            }
        }
    }

    private static List<String> origins(String name, boolean areMonitors) throws IOException {
        ClassNode type = new ClassNode();
        new ClassReader(Places.class.getName()).accept(type, 0);
        List<String> found = new ArrayList<>();
        for (MethodNode method : type.methods) {
            if (method.name.equals(name)) {
                Origins origins = Origins.of(type.name, method, true);
                for (AbstractInsnNode insn : method.instructions) {
                    int op = insn.getOpcode();
                    boolean isElement = op >= Opcodes.IALOAD && op <= Opcodes.SALOAD || op >= Opcodes.IASTORE && op <= Opcodes.SASTORE;
                    if (areMonitors ? op == Opcodes.MONITORENTER : isElement) {
                        String own = Places.class.getName() + '.' + method.name + method.desc;
                        found.add(origins.at(insn).replace(own, "").replace(Places.class.getName(), "P"));
                    }
                }
            }
        }
        return found;
    }

    @Test
    public void an_element_has_the_origin_of_its_array() throws IOException {
        List<String> found = origins("elements", false);
        assertEquals(Arrays.asList("P.data", ":1", "P.STATICS", ":4", ":new []", "P.rows", ":new []", "P.rows[]", ":other", ":call P.made"), found);
    }

    @Test
    public void a_monitor_has_the_origin_of_its_object() throws IOException {
        assertEquals(Arrays.asList("P", "P.lock", "P.class", ":1"), origins("monitors", true));
    }
}
