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
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Where the fork, join and end of threads, and what executors do, are found in the JDK's classes. */
public class ThreadTransformerTest {
    /** Methods of all threads by which they are interrupted. */
    private static final String[] INTERRUPTS = {"interrupt()V", "interrupted()Z", "isInterrupted()Z"};

    /** What is not found in a class with these methods, and those of interruptions, each of which calls the method after the colon, if there is one. */
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
        String[] types = {"ThreadPoolExecutor", "ScheduledThreadPoolExecutor", "FutureTask", "ForkJoinTask", "ForkJoinPool", "ForkJoinPool$WorkQueue",
            "CompletableFuture", "CompletableFuture$UniApply", "CompletableFuture$BiAccept", "CompletableFuture$OrRun", "CountDownLatch$Sync",
            "Semaphore$Sync", "Semaphore$FairSync", "CyclicBarrier", "Phaser"};
        for (String type : types) {
            missesNothing("java/util/concurrent/" + type);
        }
        missesNothing("java/util/Timer");
        missesNothing("java/util/TimerThread");
        missesNothing("java/lang/InterruptedException");
    }

    private static void missesNothing(String type) throws IOException {
        try (InputStream code = Object.class.getResourceAsStream('/' + type + ".class")) {
            Set<Models.Effect> missing = EnumSet.noneOf(Models.Effect.class);
            assertTrue(type, ThreadTransformer.hooked(code.readAllBytes(), Models.inside(type), missing).length > 0);
            assertEquals(type, Set.of(), missing);
            assertTrue(type, Models.isTasks(type.replace('/', '.')));
        }
    }

    @Test
    public void other_classes_have_no_such_hooks() {
        assertEquals(List.of(), Models.inside("java/lang/ThreadGroup"));
    }
}
