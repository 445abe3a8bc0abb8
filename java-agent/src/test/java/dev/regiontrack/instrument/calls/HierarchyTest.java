package dev.regiontrack.instrument.calls;

import static org.junit.Assert.assertEquals;

import dev.regiontrack.Tables;
import org.junit.Before;
import org.junit.Test;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** Which calls by a class of the program may have the model of a superclass. */
public class HierarchyTest {
    private static final String LOCK = "java/util/concurrent/locks/ReentrantLock";
    private static final String OBJECT = "(Ljava/lang/Object;)Ljava/lang/Object;";

    @Before
    public void take_a_table() {
        Tables.load("class java.util.concurrent.locks.ReentrantLock\nacquire lock\nclass java.util.HashMap\nread get toString");
    }

    /** In the code of the class {@code a/Own}. */
    private static boolean canInherit(String superName, int opcode, String owner, String name, String desc) {
        ClassNode type = new ClassNode();
        type.name = "a/Own";
        type.superName = superName;
        return new Hierarchy(HierarchyTest.class.getClassLoader(), type).canInherit(new MethodInsnNode(opcode, owner, name, desc, false));
    }

    private static boolean canInherit(String superName, String owner, String name, String desc) {
        return canInherit(superName, Opcodes.INVOKEVIRTUAL, owner, name, desc);
    }

    @Test
    public void what_the_class_itself_extends_is_known() {
        assertEquals(true, canInherit(LOCK, "a/Own", "lock", "()V"));
        assertEquals(true, canInherit("java/util/LinkedHashMap", "a/Own", "get", OBJECT));
        assertEquals(false, canInherit("java/lang/Object", "a/Own", "lock", "()V"));
        assertEquals(false, canInherit("java/lang/Thread", "a/Own", "lock", "()V"));
    }

    @Test
    public void what_is_not_loaded_can_extend_anything() {
        assertEquals(true, canInherit("java/lang/Object", "a/Other", "lock", "()V"));
        assertEquals(true, canInherit("a/Other", "a/Own", "lock", "()V"));
    }

    @Test
    public void methods_that_no_class_with_a_model_has_are_others() {
        assertEquals(false, canInherit(LOCK, "a/Own", "look", "()V"));
        assertEquals(false, canInherit("a/Other", "a/Own", "get", "(La/Other;)Ljava/lang/Object;"));
        assertEquals(false, canInherit("a/Other", "a/Own", "toString", "()Ljava/lang/String;"));
    }

    /** By the interface {@code a/Own}, which extends another one. */
    private static boolean canInherit(String above) {
        ClassNode type = new ClassNode();
        type.name = "a/Own";
        type.superName = "java/lang/Object";
        type.interfaces.add(above);
        return new Hierarchy(HierarchyTest.class.getClassLoader(), type).canInherit(new MethodInsnNode(Opcodes.INVOKEINTERFACE, "a/Own", "get", OBJECT, true));
    }

    @Test
    public void an_interface_counts_if_it_extends_one_of_the_platform_whose_classes_have_models() {
        assertEquals(true, canInherit("java/util/Map"));
        assertEquals(true, canInherit("java/util/concurrent/locks/Lock"));
        assertEquals(true, canInherit("a/Other"));
        assertEquals(true, canInherit("a/Own"));
        assertEquals(false, canInherit("java/util/function/Function"));
        assertEquals(false, canInherit("java/lang/AutoCloseable"));
    }

    @Test
    public void calls_of_a_superclass_count_and_others_that_are_not_selected_do_not() {
        assertEquals(true, canInherit(LOCK, Opcodes.INVOKESPECIAL, "a/Other", "lock", "()V"));
        assertEquals(false, canInherit(LOCK, Opcodes.INVOKESTATIC, "a/Own", "lock", "()V"));
        assertEquals(false, canInherit(LOCK, LOCK, "lock", "()V"));
    }
}
