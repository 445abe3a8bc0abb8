package dev.regiontrack.instrument.flow;

import static org.junit.Assert.assertEquals;

import dev.regiontrack.instrument.selection.ArrayMode;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/** Which constructors do not store their object anywhere, and which fields only constructors write. */
public class ConstructorsTest {
    static Object kept;

    static class Plain {
        int[] values;

        Plain(int value) {
            values = new int[] {value, value > 0 ? 1 : 2};
        }

        Plain() {
            this(1);
        }
    }

    static class Below extends Plain {
        long more = System.nanoTime();
    }

    static class Leaking {
        Object other;

        Leaking(int stored) {
            kept = this;
        }

        Leaking(long inItself) {
            other = this;
        }

        Leaking(float captured) {
            other = (Supplier<Object>) () -> this;
        }

        Leaking(double called) {
            other = hashCode();
        }

        Leaking(String given) {
            other = new Object[] {this};
        }

        Leaking(Object perhaps) {
            Object either = perhaps == null ? this : perhaps;
            kept = either;
        }

        Leaking(Exception synchronizedOn) {
            synchronized (this) {
                other = null;
            }
        }
    }

    static class Finalizable {
        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() {
            kept = this;
        }
    }

    /** Fields, some of which are written in other objects, or too late, or elsewhere. */
    static class Fields {
        private int constant;
        private String alsoConstant = "its value";
        private int neverWritten;
        private int ofAnother;
        private int late;
        private int counted;
        private int named;
        private final int declared = 1;
        private volatile int shared;
        private static int ofClass;
        int visible;

        Fields(int constant, Fields other) {
            this.constant = constant;
            shared = constant;
            visible = constant;
            other.ofAnother = constant;
            named = constant;
            kept = this;
            late = constant;
        }

        Fields() {
            this.constant = 1;
        }

        int next() {
            ofClass++;
            return ++counted + constant + neverWritten + ofAnother + late + named + declared + shared + alsoConstant.length();
        }

        static String name() {
            return "named";
        }
    }

    private static Constructors constructors(Class<?> type, boolean isAlone) throws IOException {
        ClassNode node = new ClassNode();
        new ClassReader(type.getName()).accept(node, ClassReader.EXPAND_FRAMES);
        if (isAlone) {
            node.nestHostClass = null;
            node.nestMembers = null;
        }
        return Constructors.of(node, null, ArrayMode.REFS, new Passing(node, ArrayMode.REFS));
    }

    private static Map<String, String> of(Class<?> type) throws IOException {
        return constructors(type, false).keeping();
    }

    @Test
    public void fields_that_constructors_alone_write_before_the_object_leaves() throws IOException {
        assertEquals(Set.of("constant:I", "alsoConstant:Ljava/lang/String;", "neverWritten:I"), constructors(Fields.class, true).fields());
    }

    @Test
    public void fields_that_methods_write() throws IOException {
        assertEquals(Set.of("counted:I"), constructors(Fields.class, false).writtenByMethods());
    }

    @Test
    public void other_classes_of_a_nest_may_write_private_fields() throws IOException {
        assertEquals(Set.of(), constructors(Fields.class, false).fields());
    }

    @Test
    public void a_constructor_that_only_sets_fields_names_the_one_that_it_calls() throws IOException {
        assertEquals(Map.of("(I)V", "java.lang.Object ()V", "()V", Plain.class.getName() + " (I)V"), of(Plain.class));
        assertEquals(Map.of("()V", Plain.class.getName() + " ()V"), of(Below.class));
    }

    @Test
    public void a_constructor_that_hands_its_object_on_is_not_known() throws IOException {
        assertEquals(Set.of(), of(Leaking.class).keySet());
    }

    @Test
    public void a_class_with_a_finalizer_has_none() throws IOException {
        assertEquals(Map.of(), of(Finalizable.class));
    }
}
