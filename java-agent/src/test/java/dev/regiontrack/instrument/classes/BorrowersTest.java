package dev.regiontrack.instrument.classes;

import static org.junit.Assert.assertEquals;

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
import java.io.IOException;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Which calls that lend arrays call a copy of the method, and which accesses keep their hooks in the copy. */
public class BorrowersTest {
    /** Methods whose names say whether they call a copy. */
    static class Calls {
        private static final Object[] SHARED = {1};
        private String[] names = {"a"};

        static int count(Object... all) {
            return all[0] == null ? 0 : 1;
        }

        static Object one(Object... all) {
            return all[0];
        }

        static String text(Object... all) {
            return all[0] + "";
        }

        static Object kept(Object... all) {
            return all;
        }

        static int either(boolean is, Object... all) {
            return (is ? all : SHARED)[0] == null ? 0 : 1;
        }

        static int two(Object[] one, Object[] other) {
            return one[0] == other[0] ? 1 : 0;
        }

        static int passesOn(Object... all) {
            return count(all);
        }

        private int own(Object... all) {
            return all[0] == names[0] ? 1 : 0;
        }

        final int fixed(Object... all) {
            return all[0] == null ? 0 : 1;
        }

        int overridable(Object... all) {
            return all[0] == null ? 0 : 1;
        }

        private Calls(Object... all) {
            names = all[0] == null ? null : names;
        }

        int copied() {
            return count("a") + passesOn("b");
        }

        Object copiedAndTested() {
            return one("a") == null ? null : one("b");
        }

        int copiedString() {
            return text("a").length();
        }

        int copiedIfItIsAdded(boolean is, int n) {
            return n + (is ? count("a") : 2);
        }

        int ordinaryIfItCanBeAnIndex(boolean is, int[][] table) {
            return table[is ? count("a") : 1][0];
        }

        int copiedForThis() {
            return own("a");
        }

        int copiedForFinal() {
            return fixed("a");
        }

        int ordinaryIfItCanBeOverridden() {
            return overridable("a");
        }

        int copiedWithBoth() {
            return two(new Object[] {1}, new Object[] {2});
        }

        int ordinaryIfTheResultMustNotBeNull() {
            return one("a").hashCode();
        }

        int ordinaryIfTheResultIsAnIndex(int[][] table) {
            return table[count("a")][0];
        }

        int ordinaryForAnother(Calls other) {
            return other.own("a");
        }

        int ordinaryForOneOfTwo() {
            return two(SHARED, new Object[] {2});
        }

        int ordinaryIfAnotherArrayIsMeant() {
            return either(true, "a");
        }

        Object ordinaryIfItIsKept() {
            return kept("a");
        }

        int ordinaryForWhatWasNotMadeHere() {
            return count(SHARED);
        }

        Calls copiedForConstructors() {
            return new Calls("a");
        }
    }

    /** Calls of methods of another class, whose names say whether they may call a copy. */
    static class Callers {
        int linked() {
            return Calls.count("a");
        }

        int linkedForReceiver(Calls other) {
            return other.overridable("a", null);
        }

        Object linkedAndTested() {
            return Calls.one("a") == null ? null : Calls.one("b");
        }

        boolean linkedAndCompared(Object o) {
            return Calls.one("a") == o;
        }

        int ordinaryIfTheResultMustNotBeNull() {
            return Calls.one("a").hashCode();
        }

        int ordinaryIfTheResultIsAnIndex(int[][] table) {
            return table[Calls.count("a")][0];
        }

        Object linkedForConstructors() {
            return new Calls(new Calls("a"), "b");
        }
    }

    private static ClassNode instrumented(Set<String> left, Set<String> defined) throws IOException {
        return instrumented(Calls.class, false, left, defined, true);
    }

    private static ClassNode instrumented(Class<?> of, boolean areOffered, Set<String> left, Set<String> defined, boolean areHidden) throws IOException {
        ClassNode type = new ClassNode();
        new ClassReader(of.getName()).accept(type, ClassReader.EXPAND_FRAMES);
        Passing passing = new Passing(type, ArrayMode.REFS);
        Accesses variables = new Accesses(type, ArrayMode.REFS, Set.of(), Watching.everything());
        Borrowers borrowers = new Borrowers(type, passing, left, defined, areHidden);
        if (areOffered) {
            passing.keepers(borrowers);
        }
        Temporaries[] temporaries = Temporaries.of(type, ArrayMode.REFS, variables, passing, borrowers);
        SiteList sites = new SiteList(type, Indices.none());
        for (Borrowers.Copy copy : borrowers.complete(ArrayMode.REFS, variables)) {
            new MethodInstrumenter(type, Origin.PROGRAM, Watching.everything(), copy.method, false, true, variables, copy.temporaries, Silence.of(type, variables), new Hierarchy(null, type), sites).instrument();
            type.methods.add(copy.complete());
        }
        for (int i = 0; i < temporaries.length; i++) {
            new MethodInstrumenter(type, Origin.PROGRAM, Watching.everything(), type.methods.get(i), false, false, variables, temporaries[i], Silence.of(type, variables), new Hierarchy(null, type), sites).instrument();
        }
        return type;
    }

    /** Returns by method the copies that it calls. */
    private static TreeMap<String, Set<String>> calls(ClassNode type) {
        TreeMap<String, Set<String>> result = new TreeMap<>();
        for (MethodNode method : type.methods) {
            String name = method.name + (Borrowers.isCopy(method.desc) ? "'" : "");
            for (AbstractInsnNode insn : method.instructions) {
                if (insn instanceof MethodInsnNode && Borrowers.isCopy(((MethodInsnNode) insn).desc) && ((MethodInsnNode) insn).owner.equals(type.name)) {
                    result.computeIfAbsent(name, none -> new TreeSet<>()).add(((MethodInsnNode) insn).name);
                }
            }
        }
        return result;
    }

    private static Set<String> copies(ClassNode type) {
        Set<String> result = new TreeSet<>();
        for (MethodNode method : type.methods) {
            if (Borrowers.isCopy(method.desc)) {
                result.add(method.name + ' ' + hooks(method));
            }
        }
        return result;
    }

    private static int hooks(MethodNode method) {
        int hooks = 0;
        for (AbstractInsnNode insn : method.instructions) {
            hooks += insn instanceof MethodInsnNode && ((MethodInsnNode) insn).name.startsWith("covers") ? 1 : 0;
        }
        return hooks;
    }

    @Test
    public void a_call_is_one_of_a_copy_if_nothing_can_show_it() throws IOException {
        TreeMap<String, Set<String>> expected = new TreeMap<>();
        expected.put("copied", Set.of("count", "passesOn"));
        expected.put("copiedAndTested", Set.of("one"));
        expected.put("copiedForConstructors", Set.of("<init>"));
        expected.put("copiedForFinal", Set.of("fixed"));
        expected.put("copiedIfItIsAdded", Set.of("count"));
        expected.put("copiedForThis", Set.of("own"));
        expected.put("copiedString", Set.of("text"));
        expected.put("copiedWithBoth", Set.of("two"));
        expected.put("passesOn'", Set.of("count"));
        assertEquals(expected, calls(instrumented(Set.of(), null)));
    }

    @Test
    public void in_a_copy_only_accesses_to_other_arrays_and_fields_have_hooks() throws IOException {
        assertEquals(Set.of("count 0", "fixed 0", "<init> 1", "one 0", "own 2", "passesOn 0", "text 0", "two 0"), copies(instrumented(Set.of(), null)));
    }

    @Test
    public void methods_with_a_variable_number_of_arguments_have_copies_for_calls_from_elsewhere() throws IOException {
        // Not "kept" and "either", nor "two", which no call makes one of: it has another array.
        assertEquals(Set.of("<init> 1", "count 0", "fixed 0", "one 0", "overridable 0", "own 2", "passesOn 0", "text 0", "two 0"),
            copies(instrumented(Calls.class, true, Set.of(), null, true)));
    }

    @Test
    public void a_constructor_has_a_copy_only_if_reflection_does_not_show_it() throws IOException {
        ClassNode type = instrumented(Calls.class, true, Set.of(), null, false);
        assertEquals(Set.of("count 0", "fixed 0", "one 0", "overridable 0", "own 2", "passesOn 0", "text 0", "two 0"), copies(type));
        assertEquals(Set.of(), calls(type).getOrDefault("copiedForConstructors", Set.of()));
    }

    @Test
    public void a_call_from_elsewhere_can_be_one_of_a_copy_if_nothing_can_show_it() throws IOException {
        Set<String> linked = new TreeSet<>();
        for (MethodNode method : instrumented(Callers.class, false, Set.of(), null, true).methods) {
            for (AbstractInsnNode insn : method.instructions) {
                if (insn instanceof InvokeDynamicInsnNode && Borrowers.isCopy(((InvokeDynamicInsnNode) insn).desc)) {
                    linked.add(method.name);
                }
            }
        }
        assertEquals(Set.of("linked", "linkedAndCompared", "linkedAndTested", "linkedForConstructors", "linkedForReceiver"), linked);
    }

    @Test
    public void a_loaded_class_keeps_its_copies_and_gets_no_others() throws IOException {
        ClassNode type = instrumented(Set.of(), Set.of("count([Ljava/lang/Object;)I", "kept([Ljava/lang/Object;)Ljava/lang/Object;"));
        assertEquals(Set.of("count 0", "kept 0"), copies(type));
        assertEquals(Set.of("copied", "copiedIfItIsAdded"), calls(type).keySet());
        type = instrumented(Set.of(), Set.of("either(Z[Ljava/lang/Object;)I"));
        assertEquals("with all hooks, as it is lent nothing now", Set.of("either 1"), copies(type));
        assertEquals(Set.of(), calls(type).keySet());
    }

    @Test
    public void a_method_that_is_too_large_has_no_copy() throws IOException {
        assertEquals(Set.of("copiedAndTested", "copiedForConstructors", "copiedForFinal", "copiedForThis", "copiedString", "copiedWithBoth"),
            calls(instrumented(Set.of("count([Ljava/lang/Object;)I", "passesOn" + Borrowers.desc("([Ljava/lang/Object;)I")), null)).keySet());
    }
}
