package dev.regiontrack.instrument.flow;

import static org.junit.Assert.assertEquals;

import dev.regiontrack.instrument.profile.Watching;
import dev.regiontrack.instrument.selection.ArrayMode;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** Which accesses of a method are no events if a field is already filled. */
public class FillsTest {
    /** A name has a letter for each access in code order: {@code f} if it depends on what is found, {@code e} if it is always an event. */
    static class Shapes {
        private static long sum;
        private static long started;
        private int first;
        private int returned;
        private String text;
        private long time;
        private int second;
        private int cleared;
        private int limit;
        private String tried;
        private String failing;
        private String joined;
        private int given;
        private int counted;
        private int kept;
        private int both;
        private int older;
        int shared;
        int hash;
        int other;
        boolean flag;
        double real;
        String name;
        Object parent;
        Shapes next;

        int compute() {
            return 7;
        }

        int ff() {
            int h = first;
            if (h == 0) {
                h = compute();
                first = h;
            }
            return h;
        }

        int fff() {
            if (second == 0) {
                second = compute();
            }
            return second;
        }

        /** Another method resets the field. */
        int ff2() {
            int h = cleared;
            if (h == 0) {
                h = compute();
                cleared = h;
            }
            return h;
        }

        void clear() {
            cleared = 0;
        }

        /** Another method sets the field, to a value that this one would not have computed. */
        int ef3() {
            int h = limit;
            if (h == 0) {
                h = compute();
                limit = h;
            }
            return h;
        }

        void setLimit(int other) {
            limit = other;
        }

        /** Other classes can set the field. */
        int ef4() {
            int h = shared;
            if (h == 0) {
                h = compute();
                shared = h;
            }
            return h;
        }

        static long ffff() {
            if (sum != 0) {
                return sum;
            }
            sum = System.nanoTime();
            return sum * 3;
        }

        /** The written value is returned at once. */
        int fff2() {
            if (returned != 0) {
                return returned;
            }
            return returned = compute();
        }

        String ff5() {
            String result = text;
            return result != null ? result : (text = compute() + "");
        }

        long fff3() {
            if (time == 0) {
                return time = System.nanoTime();
            }
            return time;
        }

        static long fff4() {
            return started == 0 ? started = System.nanoTime() : started;
        }

        /** Two reads before the field is filled: the first value may be older than the one that the check finds. */
        int eef() {
            int result = hash;
            if (hash == 0) {
                result = compute();
                hash = result;
            }
            return result;
        }

        /** The same, where only this method can have filled the field. */
        int eef2() {
            int result = older;
            if (older == 0) {
                older = result = compute();
            }
            return result;
        }

        /** It counts its computations. */
        int eeee2() {
            int h = counted;
            if (h == 0) {
                other++;
                h = compute();
                counted = h;
            }
            return h;
        }

        /** It stores something in another object. */
        int eee5(Shapes that) {
            int h = kept;
            if (h == 0) {
                h = compute();
                that.other = h;
                kept = h;
            }
            return h;
        }

        /** Nothing else sees the objects that it creates first. */
        String feeef() {
            String s = joined;
            if (s == null) {
                Shapes point = new Shapes();
                point.other = compute();
                String[] parts = new String[compute()];
                parts[0] = "" + point.other;
                s = String.join(",", parts);
                joined = s;
            }
            return s;
        }

        /** The object that it writes to may be its argument. */
        int eee6(Shapes that, boolean isNew) {
            int h = given;
            if (h == 0) {
                if (isNew) {
                    that = new Shapes();
                }
                h = compute();
                that.other = h;
                given = h;
            }
            return h;
        }

        /** It also fills another field, which makes no difference the second time. */
        int fef() {
            int h = both;
            if (h == 0) {
                h = compute();
                other = h + 1;
                both = h;
            }
            return h;
        }

        /** A failure is thrown, or another computation is tried. */
        String ff4() {
            String s = tried;
            if (s == null) {
                try {
                    s = "" + compute();
                } catch (IllegalStateException e) {
                    throw new IllegalArgumentException(e);
                } catch (IllegalArgumentException e) {
                    s = "-" + compute();
                }
                tried = s;
            }
            return s;
        }

        /** A failed computation is not stored. */
        String ee13() {
            String s = failing;
            if (s == null) {
                try {
                    s = "" + compute();
                    failing = s;
                } catch (IllegalStateException e) {
                    return "";
                }
            }
            return s;
        }

        /** The last read can be reached without a check. */
        int eefe(int n) {
            int result = n > 0 ? hash : 0;
            for (int i = 0; i < n; i++) {
                if (hash == 0) {
                    hash = compute();
                }
            }
            return result + hash;
        }

        /** By identity: the object found may be another one. */
        Object ef() {
            Object result = parent;
            if (result == null) {
                result = compute() + "";
                parent = result;
            }
            return result;
        }

        /** From a parameter. */
        String ef2(String given) {
            String result = name;
            if (result == null) {
                result = given + "!";
                name = result;
            }
            return result;
        }

        /** A parameter itself. */
        String ee(String given) {
            if (name == null) {
                name = given;
            }
            return given;
        }

        void ee2() {
            if (hash == 0) {
                hash = 1;
            }
        }

        void ee3() {
            int one = 1;
            if (hash == 0) {
                hash = one;
            }
        }

        void ee4() {
            if (!flag) {
                flag = compute() > 0;
            }
        }

        void ee5() {
            if (real == 0) {
                real = compute();
            }
        }

        /** A statement follows before the paths meet. */
        int eee() {
            if (hash == 0) {
                hash = compute();
                other = 1;
            }
            return 0;
        }

        int ee6() {
            if (hash == 0) {
                hash = compute();
                compute();
            }
            return 0;
        }

        /** There is a path around the write. */
        int ee7(boolean isOff) {
            if (hash == 0 && !isOff) {
                hash = compute();
            }
            return 0;
        }

        int ee8(boolean isOff) {
            if (hash == 0) {
                if (isOff) {
                    return 1;
                }
                hash = compute();
            }
            return 0;
        }

        int ee9() {
            if (hash == 0) {
                try {
                    hash = compute();
                } catch (RuntimeException e) {
                    return 3;
                }
            }
            return 0;
        }

        /** Of another object. */
        int eeee() {
            if (next.hash == 0) {
                next.hash = compute();
            }
            return 0;
        }

        int eee3() {
            if (hash == 0) {
                next.hash = compute();
            }
            return 0;
        }

        /** The field is compared with something else. */
        int ee10() {
            if (hash == 1) {
                hash = compute();
            }
            return 0;
        }

        /** The field is filled if it has a value. */
        int ee11() {
            if (hash != 0) {
                hash = compute();
            }
            return 0;
        }

        /** The object is another one, of which a copy lies below this on the stack. */
        int eee4(Shapes that) {
            if (hash == 0) {
                (next = that).hash = compute();
            }
            return 0;
        }

        int ee12(Shapes that) {
            that.hash = compute();
            return hash == 0 ? 1 : 2;
        }
    }

    @Test
    public void what_is_found_is_an_event_unless_the_method_would_have_filled_it() throws IOException {
        Map<String, String> expected = new TreeMap<>();
        Map<String, String> result = new TreeMap<>();
        ClassNode type = new ClassNode();
        new ClassReader(Shapes.class.getName()).accept(type, 0);
        Accesses accesses = new Accesses(type, ArrayMode.REFS, Set.of(), Watching.everything());
        for (MethodNode method : type.methods) {
            if (method.name.matches("[ef]+\\d*")) {
                expected.put(method.name, method.name.replaceAll("\\d", ""));
                result.put(method.name, letters(Fills.of(type, method, accesses.of(method)), accesses.of(method)));
            }
        }
        assertEquals(38, expected.size());
        assertEquals(expected, result);
    }

    private static String letters(Fills fills, Set<AbstractInsnNode> accesses) {
        StringBuilder result = new StringBuilder();
        for (AbstractInsnNode insn : accesses) {
            boolean isWrite = insn.getOpcode() == Opcodes.PUTFIELD || insn.getOpcode() == Opcodes.PUTSTATIC;
            result.append((isWrite ? fills.isFill(insn) : fills.isUse(insn)) ? 'f' : 'e');
        }
        return result.toString();
    }
}
