package dev.regiontrack.instrument;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/** Which constructors keep their object nowhere. */
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

    private static Map<String, String> of(Class<?> type) throws IOException {
        ClassNode node = new ClassNode();
        new ClassReader(type.getName()).accept(node, ClassReader.EXPAND_FRAMES);
        return Constructors.of(node, ArrayMode.REFS, new Passing(node, ArrayMode.REFS));
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
