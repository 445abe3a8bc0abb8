package dev.regiontrack.instrument.classes;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.calls.Hierarchy;
import dev.regiontrack.instrument.code.Indices;
import dev.regiontrack.instrument.code.SiteList;
import dev.regiontrack.instrument.flow.Accesses;
import dev.regiontrack.instrument.flow.Borrowers;
import dev.regiontrack.instrument.flow.Passing;
import dev.regiontrack.instrument.flow.Silence;
import dev.regiontrack.instrument.flow.Temporaries;
import dev.regiontrack.instrument.selection.ArrayMode;
import dev.regiontrack.instrument.selection.Origin;
import dev.regiontrack.instrument.profile.Watching;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.Test;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.CodeSizeEvaluator;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** How many bytes the hooks of one access take: code that the JIT must compile is a large part of the agent's cost. */
public class SiteSizeTest {
    private static final String TYPE = "p/C";

    @Test
    public void hooks_take_no_more_bytes_than_they_need() {
        Map<String, Integer> sizes = new TreeMap<>();
        for (String desc : new String[] {"I", "Ljava/lang/String;", "J", "F"}) {
            String name = desc.length() == 1 ? desc : "L";
            sizes.put("read " + name, bytes(1, field(GETFIELD, desc)));
            sizes.put("read static " + name, bytes(1, field(GETSTATIC, desc)));
            sizes.put("write " + name, bytes(1, field(PUTFIELD, desc)));
            sizes.put("write static " + name, bytes(1, field(PUTSTATIC, desc)));
        }
        sizes.put("read element", bytes(1, element(AALOAD)));
        sizes.put("write element", bytes(1, element(AASTORE)));
        assertEquals("{read F=19, read I=28, read J=19, read L=28, read element=41, read static F=17, read static I=25, read static J=17, read static L=25, "
            + "write F=13, write I=13, write J=14, write L=13, write element=17, write static F=11, write static I=11, write static J=11, write static L=11}",
            sizes.toString());
    }

    @Test
    public void in_a_method_that_hotspot_would_not_compile_they_take_fewer() {
        int reads = 300;
        MethodNode small = instrumented(1, field(GETFIELD, "I"));
        MethodNode large = instrumented(reads, field(GETFIELD, "I"));
        int each = size(large) / reads;
        assertTrue("each " + each, each < size(small) - 10 && size(large) < 8000);
    }

    @Test
    public void a_read_takes_no_lock_whatever_the_version_of_the_class_file() {
        for (int version : new int[] {V1_1, V1_4, V1_5, V1_6, V1_7, V17}) {
            for (Body read : new Body[] {field(GETFIELD, "I"), field(GETFIELD, "J"), field(GETSTATIC, "Ljava/lang/String;"), element(AALOAD)}) {
                Set<String> calls = new TreeSet<>();
                for (AbstractInsnNode insn : instrumented(version, 1, read).instructions) {
                    if (insn instanceof MethodInsnNode) {
                        calls.add(((MethodInsnNode) insn).name);
                    }
                }
                assertTrue(version + ": " + calls, calls.stream().anyMatch(name -> name.startsWith("covers")));
                assertTrue(version + ": " + calls, calls.stream().noneMatch(name -> name.startsWith("lockRead") || name.equals("lockArrayRead")));
            }
        }
    }

    private interface Body {
        void add(MethodNode method);
    }

    private static Body field(int op, String desc) {
        return m -> {
            if (op == GETFIELD || op == PUTFIELD) {
                m.instructions.add(new VarInsnNode(ALOAD, 0));
            }
            if (op == PUTFIELD || op == PUTSTATIC) {
                m.instructions.add(new InsnNode(desc.equals("I") ? ICONST_0 : desc.equals("J") ? LCONST_0 : desc.equals("F") ? FCONST_0 : ACONST_NULL));
            }
            m.instructions.add(new FieldInsnNode(op, TYPE, "f" + desc.charAt(0) + (op == GETSTATIC || op == PUTSTATIC ? "s" : ""), desc));
            if (op == GETFIELD || op == GETSTATIC) {
                m.instructions.add(new InsnNode(desc.equals("J") ? POP2 : POP));
            }
        };
    }

    private static Body element(int op) {
        return m -> {
            m.instructions.add(new VarInsnNode(ALOAD, 1));
            m.instructions.add(new InsnNode(ICONST_0));
            if (op == AASTORE) {
                m.instructions.add(new InsnNode(ACONST_NULL));
            }
            m.instructions.add(new InsnNode(op));
            if (op == AALOAD) {
                m.instructions.add(new InsnNode(POP));
            }
        };
    }

    /** Returns how many bytes one more access adds. */
    private static int bytes(int n, Body body) {
        MethodNode plain = method(n + 1, body);
        MethodNode less = method(n, body);
        return size(instrumented(n + 1, body)) - size(instrumented(n, body)) - (size(plain) - size(less));
    }

    private static MethodNode method(int n, Body body) {
        MethodNode method = new MethodNode(Opcodes.ASM9, 0, "m", "([Ljava/lang/String;)V", null, null);
        for (int i = 0; i < n; i++) {
            body.add(method);
        }
        method.instructions.add(new InsnNode(RETURN));
        method.maxLocals = 2;
        method.maxStack = 4;
        return method;
    }

    private static MethodNode instrumented(int n, Body body) {
        return instrumented(V11, n, body);
    }

    private static MethodNode instrumented(int version, int n, Body body) {
        ClassNode type = new ClassNode(Opcodes.ASM9);
        type.version = version;
        type.name = TYPE;
        type.superName = "java/lang/Object";
        for (String desc : new String[] {"I", "Ljava/lang/String;", "J", "F"}) {
            type.fields.add(new FieldNode(0, "f" + desc.charAt(0), desc, null, null));
            type.fields.add(new FieldNode(ACC_STATIC, "f" + desc.charAt(0) + "s", desc, null, null));
        }
        MethodNode method = method(n, body);
        type.methods.add(method);
        Passing passing = new Passing(type, ArrayMode.REFS);
        Accesses variables = new Accesses(type, ArrayMode.REFS, Set.of(), Watching.everything());
        Temporaries[] temporaries = Temporaries.of(type, ArrayMode.REFS, variables, passing, new Borrowers(type, passing, Set.of(), null, true));
        new MethodInstrumenter(type, Origin.PROGRAM, Watching.everything(), method, false, false, variables, temporaries[0], Silence.of(type, variables), new Hierarchy(null, type), new SiteList(type, Indices.none())).instrument();
        return method;
    }

    /** A placeholder represents the instruction that pushes a site, of three bytes. */
    private static int size(MethodNode method) {
        CodeSizeEvaluator size = new CodeSizeEvaluator(null);
        int sites = 0;
        for (AbstractInsnNode insn : method.instructions) {
            insn.accept(size);
            sites += insn.getOpcode() == NOP ? 1 : 0;
        }
        return size.getMinSize() + 2 * sites;
    }
}
