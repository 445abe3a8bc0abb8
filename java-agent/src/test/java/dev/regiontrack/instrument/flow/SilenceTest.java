package dev.regiontrack.instrument.flow;

import static org.junit.Assert.assertEquals;

import dev.regiontrack.instrument.selection.ArrayMode;
import dev.regiontrack.instrument.profile.Watching;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Which calls make no event. */
public class SilenceTest {
    /** A value that never changes, with one counter. */
    static class Pair {
        static int made;
        final double a;
        final double b;

        Pair(double a, double b) {
            this.a = a;
            this.b = b;
        }

        private Pair halved() {
            return new Pair(a / 2, b / 2);
        }

        final double length() {
            return Math.sqrt(a * a + b * b);
        }

        double open() {
            return a;
        }

        static int even(int n) {
            return n == 0 ? 1 : odd(n - 1);
        }

        static int odd(int n) {
            return n == 0 ? 0 : even(n - 1);
        }

        static void count() {
            made++;
        }

        static void counts() {
            count();
        }

        static synchronized void locked() {
        }

        static int first(int[] all) {
            return all[0];
        }

        static int firstOf(Object[] all) {
            return all[0].hashCode();
        }

        /** Calls all of them. */
        void all(int[] numbers, Object[] objects) {
            halved();
            length();
            open();
            even(3);
            count();
            counts();
            locked();
            first(numbers);
            firstOf(objects);
            Math.max(1, 2);
            String.valueOf(1);
        }
    }

    @Test
    public void a_call_of_a_method_that_touches_nothing_shared_and_cannot_be_overridden() throws IOException {
        assertEquals("[even, first, halved, length, max]", silent(ArrayMode.REFS).toString());
        assertEquals("[even, halved, length, max]", silent(ArrayMode.ALL).toString());
    }

    private static Set<String> silent(ArrayMode arrays) throws IOException {
        ClassNode type = new ClassNode();
        new ClassReader(Pair.class.getName()).accept(type, ClassReader.EXPAND_FRAMES);
        Silence silence = Silence.of(type, new Accesses(type, arrays, Set.of(), Watching.everything()));
        Set<String> result = new TreeSet<>();
        for (MethodNode method : type.methods) {
            for (AbstractInsnNode insn : method.instructions) {
                if (method.name.equals("all") && silence.isSilent(insn)) {
                    result.add(((MethodInsnNode) insn).name);
                }
            }
        }
        return result;
    }
}
