package dev.regiontrack.instrument.selection;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;

import dev.regiontrack.Tables;
import dev.regiontrack.runtime.models.ModelTable;
import org.junit.Before;
import org.junit.Test;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/** Which calls act on an argument. */
public class PassedArgumentsTest {
    @Before
    public void take_a_table() {
        Tables.load("class java.util.ArrayList\nread size\narguments java.util.ArrayList\ntoArray/0 new/1\narguments java.lang.String\nforEach/1 join/2@2\npassing java.util.ArrayList\ntoArray/0 addAll/1 addAll/2@2 lock/1\n"
            + "class java.util.ArrayList\nread addAll\nclass java.util.concurrent.locks.ReentrantLock\nacquire lock");
    }

    private static ModelTable.Argument argument(int opcode, String owner, String name, String desc) {
        return ModelledCalls.argument(new MethodInsnNode(opcode, owner, name, desc, false));
    }

    @Test
    public void a_constructor_acts_on_the_collection_that_it_is_given() {
        ModelTable.Argument found = argument(Opcodes.INVOKESPECIAL, "java/util/ArrayList", "<init>", "(Ljava/util/Collection;)V");
        assertNotNull(found);
        assertEquals(0, found.position);
        assertEquals(ModelTable.method("toArray()V"), found.method);
    }

    @Test
    public void the_argument_that_counts_can_be_another_one() {
        ModelTable.Argument found = argument(Opcodes.INVOKESTATIC, "java/lang/String", "join", "(Ljava/lang/CharSequence;Ljava/lang/Iterable;)Ljava/lang/String;");
        assertNotNull(found);
        assertEquals(1, found.position);
        assertEquals(ModelTable.method("forEach(Ljava/lang/Object;)V"), found.method);
    }

    @Test
    public void a_method_of_an_object_can_act_on_an_argument_besides() {
        assertEquals(0, ModelledCalls.position(new MethodInsnNode(Opcodes.INVOKEINTERFACE, "java/util/List", "addAll", "(Ljava/util/Collection;)Z", true)));
        assertEquals(1, ModelledCalls.position(new MethodInsnNode(Opcodes.INVOKEINTERFACE, "java/util/List", "addAll", "(ILjava/util/Collection;)Z", true)));
        assertEquals(-1, ModelledCalls.position(new MethodInsnNode(Opcodes.INVOKESTATIC, "java/util/List", "addAll", "(Ljava/util/Collection;)Z", true)));
        assertEquals(-1, ModelledCalls.position(new MethodInsnNode(Opcodes.INVOKEINTERFACE, "java/util/List", "size", "()I", true)));
        // An argument's site would be where a lock's site is.
        assertEquals(-1, ModelTable.position("lock", 1));
        assertNull(argument(Opcodes.INVOKEVIRTUAL, "java/util/ArrayList", "addAll", "(Ljava/util/Collection;)Z"));
    }

    @Test
    public void other_overloads_and_calls_do_not() {
        assertNull(argument(Opcodes.INVOKESPECIAL, "java/util/ArrayList", "<init>", "(I)V"));
        assertNull(argument(Opcodes.INVOKESPECIAL, "java/util/ArrayList", "<init>", "()V"));
        assertNull(argument(Opcodes.INVOKESTATIC, "java/lang/String", "join", "(Ljava/lang/CharSequence;[Ljava/lang/CharSequence;)Ljava/lang/String;"));
        assertNull(argument(Opcodes.INVOKESPECIAL, "a/Own", "<init>", "(Ljava/util/Collection;)V"));
        assertNull(argument(Opcodes.INVOKEVIRTUAL, "java/lang/String", "join", "(Ljava/lang/CharSequence;Ljava/lang/Iterable;)Ljava/lang/String;"));
    }
}
