package dev.regiontrack.instrument.platform;

import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.instrument.calls.Models;
import dev.regiontrack.instrument.selection.TaskClasses;
import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.bridge.Transport;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Hooks for fork, join and end of threads, in the JDK's own thread classes, so that threads started by executors and other uninstrumented code count;
 * and for tasks and futures in its executors. The table of {@link Models} says where.
 *
 * <p>Without them in {@code java.lang.Thread} the program does not start; without them in virtual threads or in a class of tasks, which the program
 * may not use, the run is incomplete. {@link TaskClasses} ensures that no class of tasks is loaded where it would get no hooks.
 */
public final class ThreadTransformer implements ClassFileTransformer {
    private static final String PLATFORM = "java.lang.Thread";
    private static final String VIRTUAL = "java.lang.VirtualThread";
    private static final String NO_PLACE = "found no place for ";
    /** The problem with each class so far; empty if there is none. */
    private final Map<String, String> troubles = new ConcurrentHashMap<>();
    private final Transport report;
    private volatile boolean isHeld;

    public ThreadTransformer(Transport report) {
        this.report = report;
    }

    /** Returns the classes that are loaded, or that the agent loads in any case. */
    List<Class<?>> loaded(Instrumentation instrumentation) {
        List<Class<?>> found = new ArrayList<>();
        found.add(Thread.class);
        Set<String> tasks = new HashSet<>(Models.tasks());
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            if (type.getClassLoader() == null && tasks.contains(type.getName())) {
                found.add(type);
            }
        }
        try {
            found.add(Class.forName(VIRTUAL, false, null));
        } catch (ClassNotFoundException e) {
            // Before Java 19.
        }
        return found;
    }

    /** Until {@link #report}, it is not certain that the JVM takes what is transformed. */
    void holdReports() {
        isHeld = true;
    }

    /** The JVM has undone what was transformed. */
    void forget() {
        troubles.clear();
    }

    /** Reports what has been held. */
    void report() {
        isHeld = false;
        for (Map.Entry<String, String> trouble : troubles.entrySet()) {
            reportMissing(trouble.getKey(), trouble.getValue());
        }
    }

    /** Loads and transforms the classes that have not been transformed. Returns why the program must not start; empty if it can. */
    public String retransform(Instrumentation instrumentation) {
        String trouble = retransform(instrumentation, Thread.class);
        if (!trouble.isEmpty()) {
            return "this JVM's " + PLATFORM + " is not as expected: " + trouble;
        }
        hookTasks(instrumentation);
        try {
            trouble = retransform(instrumentation, Class.forName(VIRTUAL, false, null));
        } catch (ClassNotFoundException e) {
            return ""; // before Java 19
        }
        if (!trouble.isEmpty()) {
            report.describe(NativeBridge.FAILED, 1, VIRTUAL + ": " + trouble);
        }
        return "";
    }

    /**
     * Ensures that each class of tasks has its hooks: loaded classes get them now, the others when they are loaded. All are loaded now if the program
     * runs already, or if its code runs whenever a class is loaded, because its system class loader is one of its own.
     */
    private void hookTasks(Instrumentation instrumentation) {
        if (Session.isLate() || ClassLoader.getSystemClassLoader().getClass().getClassLoader() != null) {
            for (String type : Models.tasks()) {
                load(type, instrumentation);
            }
            return;
        }
        for (Class<?> type : loaded(instrumentation)) {
            if (Models.isTasks(type.getName())) {
                hookTasks(type, instrumentation);
            }
        }
        TaskClasses.start(Models.tasks(), new Later(instrumentation), report);
    }

    private void load(String name, Instrumentation instrumentation) {
        try {
            Class<?> type = Class.forName(name, false, null);
            if (Models.isTasks(name)) {
                hookTasks(type, instrumentation);
            }
        } catch (ClassNotFoundException e) {
            // This JVM has no such class.
        } catch (LinkageError e) {
            miss(name, e.toString());
        }
    }

    private void hookTasks(Class<?> type, Instrumentation instrumentation) {
        String name = type.getName();
        String trouble = retransform(instrumentation, type);
        // The reason why it was not transformed was reported then.
        if (!trouble.isEmpty() && !trouble.equals(troubles.get(name))) {
            miss(name, trouble);
        }
    }

    /** Hooks classes that are loaded later. A class, because the first lambda takes a twentieth of the agent's start. */
    private final class Later implements TaskClasses.Loading {
        private final Instrumentation instrumentation;

        Later(Instrumentation instrumentation) {
            this.instrumentation = instrumentation;
        }

        @Override
        public void load(String name) {
            ThreadTransformer.this.load(name, instrumentation);
        }
    }

    /** Reports that not all hand-overs by these tasks and futures are seen. Without any hooks, the run is incomplete. */
    private void miss(String type, String trouble) {
        if (trouble.startsWith(NO_PLACE)) {
            report.describe(NativeBridge.TOLERATED, 1, "what " + type + " hands over, which is not as expected: " + trouble);
        } else {
            report.describe(NativeBridge.FAILED, 1, type + ": " + trouble);
        }
    }

    private String retransform(Instrumentation instrumentation, Class<?> type) {
        if (troubles.containsKey(type.getName())) {
            return troubles.get(type.getName());
        }
        try {
            instrumentation.retransformClasses(type);
        } catch (UnmodifiableClassException | LinkageError | InternalError | RuntimeException e) {
            return e.toString();
        }
        return troubles.getOrDefault(type.getName(), "the JVM did not offer it for transformation");
    }

    @Override
    public byte[] transform(Module module, ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        List<Models.Entry> entries = loader == null && name != null ? Models.inside(name) : List.of();
        if (entries.isEmpty()) {
            return null;
        }
        String type = name.replace('/', '.');
        try {
            Set<Models.Effect> missing = EnumSet.noneOf(Models.Effect.class);
            byte[] result = hooked(bytes, entries, missing);
            return done(type, missing.isEmpty() ? "" : NO_PLACE + missing, result);
        } catch (Throwable e) {
            // The JVM would ignore it.
            return done(type, e.toString(), null);
        }
    }

    private byte[] done(String type, String trouble, byte[] result) {
        troubles.put(type, trouble);
        if (!isHeld) {
            reportMissing(type, trouble);
        }
        return result;
    }

    private void reportMissing(String type, String trouble) {
        if (!trouble.isEmpty() && Models.isTasks(type)) {
            miss(type, trouble);
        }
    }

    /** Adds the hooks of the entries; {@code missing} gets the effects for which no place was found. */
    static byte[] hooked(byte[] bytes, List<Models.Entry> entries, Set<Models.Effect> missing) {
        for (Models.Entry entry : entries) {
            missing.add(entry.effect);
        }
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new Hooking(writer, entries, missing), 0);
        return writer.toByteArray();
    }

    private static final class Hooking extends ClassVisitor {
        /** The most that a hook adds to the stack. Computing the depth for each method would double the time that these classes take. */
        private static final int MOST_OPERANDS = 4;
        private final List<Models.Entry> entries;
        private final Set<Models.Effect> missing;

        Hooking(ClassVisitor next, List<Models.Entry> entries, Set<Models.Effect> missing) {
            super(Opcodes.ASM9, next);
            this.entries = entries;
            this.missing = missing;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String desc, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, desc, signature, exceptions);
            List<Models.Entry> rows = ofMethod(name, desc);
            if (rows.isEmpty()) {
                // Copied unchanged.
                return next;
            }
            return new MethodVisitor(Opcodes.ASM9, next) {
                /** Which of the first two locals have been overwritten. */
                private final boolean[] isChanged = new boolean[2];

                @Override
                public void visitCode() {
                    super.visitCode();
                    hook(Models.Place.ENTRY, name, desc);
                }

                @Override
                public void visitVarInsn(int opcode, int local) {
                    if (opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE && local <= 1) {
                        isChanged[local] = true;
                    }
                    super.visitVarInsn(opcode, local);
                }

                @Override
                public void visitMethodInsn(int opcode, String owner, String called, String calledDesc, boolean isInterface) {
                    hook(Models.Place.CALL_INSIDE, called, calledDesc);
                    super.visitMethodInsn(opcode, owner, called, calledDesc, isInterface);
                    hook(Models.Place.AFTER_CALL, called, calledDesc);
                }

                @Override
                public void visitFieldInsn(int opcode, String owner, String field, String fieldDesc) {
                    boolean isSeen = opcode == Opcodes.GETFIELD && has(Models.Place.FIELD_READ, field, fieldDesc);
                    if (isSeen) {
                        super.visitInsn(Opcodes.DUP);                                                // o o
                    }
                    super.visitFieldInsn(opcode, owner, field, fieldDesc);
                    if (isSeen) {
                        super.visitInsn(Opcodes.DUP_X1);                                             // n o n
                        hook(Models.Place.FIELD_READ, field, fieldDesc);                             // n
                    }
                }

                private boolean has(Models.Place place, String method, String methodDesc) {
                    for (Models.Entry entry : rows) {
                        if (entry.place == place && entry.matches(method, methodDesc)) {
                            return true;
                        }
                    }
                    return false;
                }

                @Override
                public void visitMaxs(int stack, int locals) {
                    super.visitMaxs(stack + MOST_OPERANDS, locals);
                }

                @Override
                public void visitInsn(int opcode) {
                    if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                        hook(Models.Place.RETURN, name, desc);
                    }
                    super.visitInsn(opcode);
                }

                private void hook(Models.Place place, String method, String methodDesc) {
                    for (Models.Entry entry : rows) {
                        if (entry.place == place && entry.matches(method, methodDesc)
                            && (entry.effect.operand.isOnStack() || !isChanged[localOf(entry.effect)])) {
                            missing.remove(entry.effect);
                            call(entry.effect);
                        }
                    }
                }

                private void call(Models.Effect effect) {
                    Models.Operand operand = effect.operand;
                    if (operand == Models.Operand.UNDER_NUMBERS) {
                        super.visitInsn(Opcodes.DUP2_X1);                                            // m n o m n
                        super.visitInsn(Opcodes.POP2);                                               // m n o
                        super.visitInsn(Opcodes.DUP_X2);                                             // o m n o
                    }
                    boolean takesTop = operand == Models.Operand.TOP || operand == Models.Operand.TRUTH || operand == Models.Operand.RESULT || operand == Models.Operand.NUMBER
                        || operand == Models.Operand.NUMBER_WITH_COUNT || operand == Models.Operand.TOP_AND_THIS
                        || operand == Models.Operand.TOP_AND_FIRST;
                    if (takesTop) {
                        super.visitInsn(Opcodes.DUP);                                                // .. v
                    }
                    if (!operand.isOnStack()) {
                        super.visitVarInsn(Opcodes.ALOAD, localOf(effect));                          // .. o
                    }
                    if (operand == Models.Operand.THIS_AND_FIRST) {
                        super.visitVarInsn(Opcodes.ALOAD, 1);                                        // .. o p
                    }
                    if (operand == Models.Operand.WITH_COUNT || operand == Models.Operand.NUMBER_WITH_COUNT) {
                        super.visitVarInsn(Opcodes.ILOAD, 1);                                        // .. o n
                    }
                    String owner = ownerOf(effect);
                    String types = owner.equals(RuntimeNames.THREADS) ? "Ljava/lang/Thread;" : operand.types;
                    super.visitMethodInsn(Opcodes.INVOKESTATIC, owner, effect.hook, '(' + types + ")V", false);   // ..
                }
            };
        }

        /** Returns the rows that may concern a method: its own calls, or its contents. */
        private List<Models.Entry> ofMethod(String name, String desc) {
            List<Models.Entry> some = new ArrayList<>();
            for (Models.Entry entry : entries) {
                boolean isOfMethod = entry.place == Models.Place.ENTRY || entry.place == Models.Place.RETURN;
                if (isOfMethod ? entry.matches(name, desc) : entry.isWithin(name)) {
                    some.add(entry);
                }
            }
            return some;
        }

        private static String ownerOf(Models.Effect effect) {
            switch (effect) {
                case FORK: case JOIN: case END: return RuntimeNames.THREADS;
                case MAKE: case ARRIVE: case ARRIVED: case PASS: case ASK_COUNT: return RuntimeNames.LATCHES;
                case MAKE_SEMAPHORE: case RELEASE: case ATTEMPT: case ACQUIRED: case DRAINED: case REDUCE: case MAKE_BARRIER: case AT_BARRIER: case SHATTER:
                case MEET: case TRIP: case LEAVE: return RuntimeNames.PERMITS;
                case COUNT_PENDING: case COUNTED_PENDING: case SEE_PENDING: return RuntimeNames.COMPLETERS;
                case DRAIN: return RuntimeNames.QUEUES;
                case REMOVED: return RuntimeNames.REMOVALS;
                case INTERRUPT: case CLEARED: case FLAG: case INTERRUPTED: return RuntimeNames.INTERRUPTS;
                case ARRIVES: case HAS_ARRIVED: case WAITS_IN_PHASE: case PHASE_MEETS: case PHASE_ENDS: case PHASE_SEEN: case PHASE_AWAITED: return RuntimeNames.PHASERS;
                default: return RuntimeNames.TASKS;
            }
        }

        private static int localOf(Models.Effect effect) {
            return effect.operand == Models.Operand.FIRST || effect.operand == Models.Operand.TOP_AND_FIRST ? 1 : 0;
        }
    }
}
