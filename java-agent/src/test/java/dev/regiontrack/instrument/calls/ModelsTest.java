package dev.regiontrack.instrument.calls;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.util.List;
import org.junit.Test;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/** Which calls in the program's code have which effect. */
public class ModelsTest {
    private static final String ATOMIC = "java/util/concurrent/atomic/";
    private static final String HANDLE = "java/lang/invoke/VarHandle";

    private static Models.Effect of(int opcode, String owner, String name, String desc) {
        return Models.of(new MethodInsnNode(opcode, owner, name, desc, false));
    }

    private static Models.Effect of(String owner, String name, String desc) {
        return of(Opcodes.INVOKEVIRTUAL, owner, name, desc);
    }

    @Test
    public void calls_with_the_effect_of_a_volatile_write_are_fences_in_every_overload() {
        assertEquals(Models.Effect.FENCE, of(ATOMIC + "AtomicInteger", "incrementAndGet", "()I"));
        assertEquals(Models.Effect.FENCE, of(ATOMIC + "AtomicReferenceArray", "compareAndSet", "(ILjava/lang/Object;Ljava/lang/Object;)Z"));
        assertEquals(Models.Effect.FENCE, of(ATOMIC + "AtomicLongFieldUpdater", "getAndSet", "(Ljava/lang/Object;J)J"));
        assertEquals(Models.Effect.FENCE, of(HANDLE, "setVolatile", "(LBox;I)V"));
        assertEquals(Models.Effect.FENCE, of(HANDLE, "compareAndSet", "(II)Z"));
        assertEquals(Models.Effect.FENCE, of(Opcodes.INVOKESTATIC, HANDLE, "fullFence", "()V"));
        assertEquals(Models.Effect.FENCE, of("sun/misc/Unsafe", "fullFence", "()V"));
    }

    @Test
    public void calls_with_a_weaker_effect_are_none() {
        assertNull(of(ATOMIC + "AtomicInteger", "get", "()I"));
        assertNull(of(ATOMIC + "AtomicInteger", "lazySet", "(I)V"));
        assertNull(of(ATOMIC + "AtomicInteger", "setRelease", "(I)V"));
        assertNull(of(ATOMIC + "AtomicInteger", "weakCompareAndSetPlain", "(II)Z"));
        assertNull(of(HANDLE, "set", "(LBox;I)V"));
        assertNull(of(HANDLE, "getAndSetAcquire", "(LBox;I)I"));
        assertNull(of(Opcodes.INVOKESTATIC, HANDLE, "storeStoreFence", "()V"));
        // It does nothing if its arguments change nothing.
        assertNull(of(ATOMIC + "AtomicStampedReference", "set", "(Ljava/lang/Object;I)V"));
        assertNull(of("com/example/Box", "set", "(I)V"));
    }

    @Test
    public void who_parks_waits_unless_it_may_only_pause() {
        String parks = "java/util/concurrent/locks/LockSupport";
        for (String desc : List.of("()V", "(Ljava/lang/Object;)V")) {
            assertEquals(Models.Effect.PARK, of(Opcodes.INVOKESTATIC, parks, "park", desc));
        }
        for (String name : List.of("parkNanos", "parkUntil")) {
            assertEquals(Models.Effect.PARK, of(Opcodes.INVOKESTATIC, parks, name, "(Ljava/lang/Object;J)V"));
            assertNull(of(Opcodes.INVOKESTATIC, parks, name, "(J)V"));
        }
        assertNull(of(Opcodes.INVOKESTATIC, parks, "unpark", "(Ljava/lang/Thread;)V"));
    }

    @Test
    public void every_class_has_the_methods_of_object_none_of_which_are_static() {
        assertEquals(Models.Effect.WAIT, of("com/example/Box", "wait", "(J)V"));
        assertNull(of(Opcodes.INVOKESTATIC, "com/example/Box", "wait", "(J)V"));
        assertEquals(Models.Effect.COPY, of("com/example/Box", "clone", "()Lcom/example/Box;"));
        assertNull(of("[I", "clone", "()Ljava/lang/Object;"));
    }
}
