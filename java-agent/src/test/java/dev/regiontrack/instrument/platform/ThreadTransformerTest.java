package dev.regiontrack.instrument.platform;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import dev.regiontrack.instrument.calls.Models;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Where the JDK's classes fork, join and end threads, and where executors act. */
public class ThreadTransformerTest {
    /** The methods of all threads that interrupt them. */
    private static final String[] INTERRUPTS = {"interrupt()V", "interrupted()Z", "isInterrupted()Z"};

    /** Returns the effects not found in a class with these methods and those of interruptions. Each calls the method after the colon, if there is one. */
    private static Set<Models.Effect> missing(String type, String... methods) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, type, null, "java/lang/Object", null);
        for (String method : all(methods)) {
            String[] parts = method.split(":");
            int desc = parts[0].indexOf('(');
            MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC, parts[0].substring(0, desc), parts[0].substring(desc), null, null);
            code.visitCode();
            if (parts.length > 1) {
                code.visitVarInsn(Opcodes.ALOAD, 0);
                code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, type, parts[1], "()V", false);
            }
            code.visitInsn(Opcodes.RETURN);
            code.visitMaxs(1, 4);
            code.visitEnd();
        }
        writer.visitEnd();
        Set<Models.Effect> missing = EnumSet.noneOf(Models.Effect.class);
        ThreadTransformer.hooked(writer.toByteArray(), Models.inside(type), missing);
        return missing;
    }

    private static List<String> all(String... methods) {
        List<String> all = new ArrayList<>(List.of(methods));
        all.addAll(List.of(INTERRUPTS));
        return all;
    }

    @Test
    public void a_thread_with_start_join_and_exit_misses_nothing() {
        assertEquals(Set.of(), missing("java/lang/Thread", "start()V:start0", "join(J)V", "exit()V"));
    }

    @Test
    public void each_kind_is_missed_however_often_others_are_found() {
        assertEquals(Set.of(Models.Effect.FORK), missing("java/lang/Thread", "start()V", "join(J)V", "exit()V"));
        assertEquals(Set.of(Models.Effect.JOIN), missing("java/lang/Thread", "start()V:start0", "start(Ljava/lang/Object;)V:start0", "exit()V"));
        assertEquals(Set.of(Models.Effect.END), missing("java/lang/Thread", "start()V:start0", "start(Ljava/lang/Object;)V:start0", "join(J)V"));
    }

    @Test
    public void a_virtual_thread_is_forked_by_its_start_alone() {
        String submit = ":externalSubmitRunContinuationOrThrow";
        assertEquals(Set.of(), missing("java/lang/VirtualThread", "start()V" + submit, "afterDone(Z)V"));
        assertEquals(Set.of(Models.Effect.FORK), missing("java/lang/VirtualThread", "unpark()V" + submit, "afterDone(Z)V"));
        assertEquals(Set.of(Models.Effect.END), missing("java/lang/VirtualThread", "start()V" + submit, "afterDone()V"));
    }

    @Test
    public void the_executors_futures_and_synchronizers_of_this_jvm_miss_nothing() throws IOException {
        int found = 0;
        for (String type : Models.tasks()) {
            byte[] code = code(type);
            if (code.length > 0) {
                Set<Models.Effect> missing = EnumSet.noneOf(Models.Effect.class);
                assertTrue(type, ThreadTransformer.hooked(code, Models.inside(type.replace('.', '/')), missing).length > 0);
                assertEquals(type, Set.of(), missing);
                assertTrue(type, Models.isTasks(type));
                found++;
            }
        }
        assertTrue("" + found, found >= 38);
    }

    /** Returns an empty array if this JVM has no such class. */
    private static byte[] code(String type) throws IOException {
        try (InputStream code = Object.class.getResourceAsStream('/' + type.replace('.', '/') + ".class")) {
            return code == null ? new byte[0] : code.readAllBytes();
        }
    }

    @Test
    public void wherever_a_fork_join_pool_runs_a_task_there_is_a_hook() throws IOException {
        for (String type : new String[] {"ForkJoinPool", "ForkJoinPool$WorkQueue", "DelayScheduler"}) {
            byte[] code = code("java.util.concurrent." + type);
            if (code.length > 0) {
                int calls = calls(code, "doExec");
                Set<Models.Effect> missing = EnumSet.noneOf(Models.Effect.class);
                byte[] hooked = ThreadTransformer.hooked(code, Models.inside("java/util/concurrent/" + type), missing);
                assertTrue(type, calls > 0);
                assertEquals(type, calls, calls(hooked, Models.Effect.RUN.hook));
            }
        }
    }

    /** In rare cases another thread finds the pool terminated by then, before the worker is at its exit. */
    @Test
    public void a_worker_ends_before_it_is_not_counted_any_more() throws IOException {
        byte[] code = code("java.util.concurrent.ThreadPoolExecutor");
        byte[] hooked = ThreadTransformer.hooked(code, Models.inside("java/util/concurrent/ThreadPoolExecutor"), EnumSet.noneOf(Models.Effect.class));
        List<String> order = new ArrayList<>();
        new ClassReader(hooked).accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String method, String desc, String signature, String[] exceptions) {
                return !method.equals("getTask") ? null : new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitMethodInsn(int opcode, String owner, String called, String calledDesc, boolean isInterface) {
                        if (called.endsWith("ecrementWorkerCount") || called.equals(Models.Effect.WORKER_ENDS.hook)) {
                            order.add(called);
                        }
                    }
                };
            }
        }, 0);
        String ends = Models.Effect.WORKER_ENDS.hook;
        assertEquals(List.of(ends, "decrementWorkerCount", ends, "compareAndDecrementWorkerCount"), order);
    }

    private static int calls(byte[] code, String name) {
        int[] calls = new int[1];
        new ClassReader(code).accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String method, String desc, String signature, String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitMethodInsn(int opcode, String owner, String called, String calledDesc, boolean isInterface) {
                        calls[0] += called.equals(name) ? 1 : 0;
                    }
                };
            }
        }, 0);
        return calls[0];
    }

    @Test
    public void other_classes_have_no_such_hooks() {
        assertEquals(List.of(), Models.inside("java/lang/ThreadGroup"));
    }
}
