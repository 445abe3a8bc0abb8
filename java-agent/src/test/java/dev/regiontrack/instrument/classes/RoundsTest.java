package dev.regiontrack.instrument.classes;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.instrument.code.Indices;
import dev.regiontrack.instrument.code.MethodCode;
import dev.regiontrack.instrument.code.SiteList;
import dev.regiontrack.instrument.flow.Accesses;
import dev.regiontrack.instrument.flow.Attempt;
import dev.regiontrack.instrument.flow.Attempts;
import dev.regiontrack.instrument.flow.Round;
import dev.regiontrack.instrument.frames.NewLabels;
import dev.regiontrack.instrument.profile.Watching;
import dev.regiontrack.instrument.selection.ArrayMode;
import dev.regiontrack.instrument.selection.Origin;
import dev.regiontrack.runtime.sites.SiteNumbers;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntSupplier;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.SimpleRemapper;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** Which loops have rounds, and when the hooks of these are called: the subjects are executed with no other hooks. */
public class RoundsTest {
    @Rule
    public final Timeout limit = Timeout.seconds(20);

    /** Stands for the thread's state. */
    public static final class State {
        public int asking;
    }

    /** Stands for the classes of the runtime that the code calls. */
    public static final class Recorder {
        static final StringBuilder LOG = new StringBuilder();
        /** Whether methods that are asked only read. */
        static boolean answer;
        /** What another thread does when a round leads back to its start. */
        static Runnable meanwhile;
        /** The same where one begins. */
        static Runnable whenBegun;

        private Recorder() {
        }

        public static State current() {
            return new State();
        }

        public static void begin(State t) {
            LOG.append("begin ");
            whenBegun.run();
        }

        public static void again(State t) {
            LOG.append("again ");
            meanwhile.run();
        }

        public static void used(State t) {
            LOG.append("used ");
        }

        public static void call(Object receiver, State t, int site) {
            LOG.append(receiver == null ? "call of null " : "call ");
        }

        public static void call(State t, int site) {
            LOG.append("static ");
        }

        public static boolean isInVain(int site) {
            return false;
        }

        public static boolean reads(Object receiver, State t, int site) {
            return answer;
        }

        public static boolean reads(State t, int site) {
            return answer;
        }

        public static void waited(State t) {
            LOG.append("waited ");
        }
    }

    /** What is asked. */
    public interface Other {
        int most(long weight, int from);

        boolean isOver();
    }

    /** An element of a stack. */
    public static final class Node {
        public volatile Node below;
        private final String name;

        public Node(String name, Node below) {
            this.name = name;
            this.below = below;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** A method for each shape. Those whose name begins with "no" have no round. {@code wrong} makes each {@code compareAndSet} fail. */
    public static class Shapes implements IntSupplier {
        public final AtomicInteger n = new AtomicInteger();
        public final AtomicInteger limit = new AtomicInteger(10);
        public final AtomicReference<Node> top = new AtomicReference<>(new Node("first", null));
        public final AtomicReferenceArray<String> names = new AtomicReferenceArray<>(2);
        public volatile int wrong;
        public volatile boolean isFull;
        public volatile int[] counts = {1, 2};
        public volatile String name = "a";
        public volatile Object any = new int[1];
        public Other other;
        public int written;

        @Override
        public int getAsInt() {
            return n.get();
        }

        public boolean claims() {
            for (;;) {
                int p = n.get();
                if (p >= limit.get()) {
                    return false;
                }
                if (n.compareAndSet(p + wrong, p + 1)) {
                    return true;
                }
            }
        }

        /** The copy finds that it goes round. */
        public boolean claimsOrWaits() {
            for (;;) {
                int p = n.get();
                if (isFull) {
                    continue;
                }
                if (p >= limit.get()) {
                    return false;
                }
                if (n.compareAndSet(p + wrong, p + 1)) {
                    return true;
                }
            }
        }

        public int claimsAtTheEnd() {
            int p;
            int most;
            do {
                p = n.get();
                most = limit.get();
            } while (p < most && !n.compareAndSet(p + wrong, p + 1));
            return most - p;
        }

        /** The result is stored. */
        public int claimsByResult() {
            boolean isDone;
            int p;
            do {
                p = n.get();
                isDone = p >= limit.get() || n.compareAndSet(p + wrong, p + 1);
            } while (!isDone);
            return p;
        }

        public boolean claimsByMethod() {
            for (;;) {
                int p = n.get();
                if (p >= most()) {
                    return false;
                }
                if (casN(p + wrong, p + 1)) {
                    return true;
                }
            }
        }

        private int most() {
            return limit.get();
        }

        private boolean casN(int from, int to) {
            return n.compareAndSet(from, to);
        }

        /** All of the round is in another method. */
        public void claimsInMethod() {
            while (!tries()) {
                Thread.onSpinWait();
            }
        }

        private boolean tries() {
            int most = limit.get();
            int p = n.get();
            return p < most && n.compareAndSet(p + wrong, p + 1);
        }

        /** With a method that has an effect on its way to the end. */
        public void noMethodThatWrites() {
            while (!triesAndWrites()) {
                Thread.onSpinWait();
            }
        }

        private boolean triesAndWrites() {
            int most = limit.get();
            if (most == 3) {
                return false;
            }
            written = most;
            return n.compareAndSet(0, most);
        }

        public boolean claimsByAnswer(Other one) {
            for (;;) {
                int p = n.get();
                if (p >= one.most(2L, p)) {
                    return false;
                }
                if (n.compareAndSet(p + wrong, p + 1)) {
                    return true;
                }
            }
        }

        /** There is an object on the stack, and others in the exits. */
        public String claimsOrThrows(int most) {
            for (;;) {
                int p = n.get();
                String found = name;
                if (p == most) {
                    throw new IllegalStateException(found);
                }
                if (p == limit.get()) {
                    return "none" + new StringBuilder(found);
                }
                if (n.compareAndSet(p + wrong, p + 1)) {
                    written = p + found.length();
                    return found;
                }
            }
        }

        public int claimsElement(int i) {
            try {
                for (;;) {
                    int p = n.get();
                    int next = p + counts[i] / (2 - counts.length) + ((int[]) any)[0];
                    if (n.compareAndSet(p + wrong, next)) {
                        return next;
                    }
                }
            } catch (NullPointerException e) {
                return -1;
            } catch (IndexOutOfBoundsException e) {
                return -2;
            } finally {
                written++;
            }
        }

        public String claimsName(int i) {
            for (;;) {
                String found = names.get(i);
                int p = n.get();
                if (n.compareAndSet(p + wrong, p + 1)) {
                    return found;
                }
            }
        }

        /** Behind the first loop comes another one, which has a copy. */
        public int claimsAndWaits() {
            int p;
            int most;
            do {
                p = n.get();
                most = limit.get();
            } while (!n.compareAndSet(p + wrong, p + 1));
            while (isFull) {
                Thread.onSpinWait();
            }
            return p + most;
        }

        /** The index is looked at last: a copy leads on to the compareAndSet, in the middle of a round. */
        public boolean claimsTheOtherWay() {
            for (;;) {
                int most = limit.get();
                int p = n.get();
                if (p >= most) {
                    return false;
                }
                if (n.compareAndSet(p, p + 1)) {
                    return true;
                }
            }
        }

        /** A copy reads what the {@code compareAndSet} expects, and leads on to the read of what it puts there. */
        public Node claimsNode() {
            for (;;) {
                Node now = top.get();
                Node below = now.below;
                if (top.compareAndSet(now, below)) {
                    return now;
                }
            }
        }

        public boolean claimsByCases(int how) {
            for (;;) {
                int p = n.get();
                switch (limit.get() - p) {
                    case 0:
                        continue;
                    case 1:
                        return false;
                    case 10:
                        if (!n.compareAndSet(p + wrong, p + 1)) {
                            continue;
                        }
                        written = how;
                        return true;
                    default:
                        written = p;
                }
            }
        }

        public int noOtherVariable() {
            int p;
            do {
                p = n.get();
            } while (!n.compareAndSet(p, p + 1));
            return p;
        }

        public void noCompareAndSet() {
            while (n.get() < limit.get()) {
                Thread.onSpinWait();
            }
        }

        public void noRead(int from) {
            while (!n.compareAndSet(from, from + 1)) {
                Thread.onSpinWait();
            }
        }

        public void noWayAroundWrite() {
            for (;;) {
                int p = n.get();
                written = limit.get();
                if (n.compareAndSet(p, p + 1)) {
                    return;
                }
            }
        }

        public int noForgottenLocal() {
            int last = 0;
            for (;;) {
                int p = n.get();
                if (p == last) {
                    return p;
                }
                last = limit.get();
                if (n.compareAndSet(p, p + 1)) {
                    return last;
                }
            }
        }

        public int noCounting() {
            int rounds = 0;
            for (;;) {
                int p = n.get();
                rounds++;
                if (p >= limit.get() || n.compareAndSet(p, p + 1)) {
                    return rounds;
                }
            }
        }

        public void noLock() {
            for (;;) {
                int p = n.get();
                int most = limit.get();
                synchronized (this) {
                    if (n.compareAndSet(p, most)) {
                        return;
                    }
                }
            }
        }

        public void noCallWithEffect() {
            for (;;) {
                int p = n.get();
                System.out.print(limit.get());
                if (n.compareAndSet(p, p + 1)) {
                    return;
                }
            }
        }

        public void noOtherUpdate() {
            for (;;) {
                int p = n.get();
                limit.incrementAndGet();
                if (n.compareAndSet(p, p + 1)) {
                    return;
                }
            }
        }

        public int noExchange() {
            for (;;) {
                int p = n.get();
                int most = limit.get();
                int found = n.compareAndExchange(p, most);
                if (found == p) {
                    return found;
                }
            }
        }
    }

    private static Class<?> instrumented;
    private static final Map<String, List<Round>> ROUNDS = new HashMap<>();
    private static final Map<String, List<Attempt>> ATTEMPTS = new HashMap<>();
    private Object shapes;

    private static Class<?> instrumented() throws IOException {
        if (instrumented != null) {
            return instrumented;
        }
        ClassReader reader = new ClassReader(Shapes.class.getName());
        ClassNode type = new ClassNode();
        reader.accept(type, ClassReader.EXPAND_FRAMES);
        SiteList sites = new SiteList(type, Indices.of(reader, type));
        Accesses accesses = new Accesses(type, ArrayMode.REFS, Set.of(), Watching.everything());
        for (MethodNode method : type.methods) {
            instrument(type, method, accesses, sites);
        }
        sites.number(SiteNumbers.reserve(sites.size(), 0, type.name, null));
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        Map<String, String> names = new HashMap<>();
        names.put(RuntimeNames.STATE, State.class.getName().replace('.', '/'));
        for (String name : List.of(RuntimeNames.THREADS, RuntimeNames.ROUNDS, RuntimeNames.ASKING, RuntimeNames.HOOKS)) {
            names.put(name, Recorder.class.getName().replace('.', '/'));
        }
        type.accept(new ClassRemapper(writer, new SimpleRemapper(org.objectweb.asm.Opcodes.ASM9, names)));
        byte[] bytes = writer.toByteArray();
        instrumented = new ClassLoader(RoundsTest.class.getClassLoader()) {
            Class<?> define() {
                return defineClass(Shapes.class.getName(), bytes, 0, bytes.length);
            }
        }.define();
        return instrumented;
    }

    private static void instrument(ClassNode type, MethodNode method, Accesses accesses, SiteList sites) {
        new NewLabels(method);
        Set<AbstractInsnNode> all = accesses.of(method);
        MethodCode code = new MethodCode(type, Origin.PROGRAM, Watching.everything(), method, sites, all.size(), false);
        List<Round> rounds = new ArrayList<>();
        List<Attempt> attempts = Attempts.of(type, method, all, accesses, code.free(), rounds);
        ROUNDS.put(method.name, rounds);
        ATTEMPTS.put(method.name, attempts);
        code.placeAll();
        Rehearsals rehearsals = new Rehearsals(code, attempts);
        RoundHooks hooks = new RoundHooks(code, rounds);
        rehearsals.lead(hooks::onTheWay);
        hooks.lead(rehearsals);
        for (AbstractInsnNode insn : method.instructions.toArray()) {
            hooks.visit(insn, null);
        }
        rehearsals.add();
        hooks.add();
        code.finish();
    }

    @Before
    public void make() throws IOException, ReflectiveOperationException {
        shapes = instrumented().getConstructor().newInstance();
        Recorder.LOG.setLength(0);
        Recorder.answer = false;
        Recorder.meanwhile = () -> set("wrong", 0);
        Recorder.whenBegun = () -> { };
    }

    private Object set(String field, Object value) {
        try {
            shapes.getClass().getField(field).set(shapes, value);
            return null;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private AtomicInteger atomic(String field) {
        try {
            return (AtomicInteger) shapes.getClass().getField(field).get(shapes);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @SuppressWarnings("unchecked")
    private AtomicReference<Node> top() throws ReflectiveOperationException {
        return (AtomicReference<Node>) shapes.getClass().getField("top").get(shapes);
    }

    /** Calls a method; returns the calls of hooks, and the result or exception. */
    private String call(String name, Object... arguments) throws ReflectiveOperationException {
        Recorder.LOG.setLength(0);
        for (Method method : shapes.getClass().getMethods()) {
            if (method.getName().equals(name)) {
                try {
                    Recorder.LOG.append(method.invoke(shapes, arguments));
                } catch (InvocationTargetException e) {
                    Recorder.LOG.append(e.getCause().getClass().getSimpleName());
                }
            }
        }
        return Recorder.LOG.toString();
    }

    private String callAfterFailure(String name, Object... arguments) throws ReflectiveOperationException {
        set("wrong", 1);
        return call(name, arguments);
    }

    @Test
    public void a_round_reads_another_variable_and_then_compares_and_sets() {
        Set<String> wrong = new TreeSet<>();
        for (Map.Entry<String, List<Round>> entry : ROUNDS.entrySet()) {
            if (entry.getValue().size() != (entry.getKey().startsWith("claims") ? 1 : 0)) {
                wrong.add(entry.getKey());
            }
        }
        assertEquals(Set.of(), wrong);
    }

    @Test
    public void a_round_is_withdrawn_where_it_leads_back_and_settled_where_it_does_not() throws ReflectiveOperationException {
        assertEquals("begin used true", call("claims"));
        assertEquals("begin again begin used true", callAfterFailure("claims"));
        atomic("n").set(10);
        assertEquals("begin used false", call("claims"));
    }

    @Test
    public void a_round_without_a_way_back_for_a_copy_has_none() {
        assertTrue(ATTEMPTS.get("claims").isEmpty());
        assertFalse(ATTEMPTS.get("claimsOrWaits").isEmpty());
    }

    @Test
    public void behind_a_copy_the_round_begins_in_the_original() throws ReflectiveOperationException {
        assertEquals("begin again begin used true", callAfterFailure("claimsOrWaits"));
    }

    @Test
    public void the_result_need_not_be_compared_at_once() throws ReflectiveOperationException {
        assertEquals("begin again begin used 10", callAfterFailure("claimsAtTheEnd"));
        assertEquals("begin again begin used 1", callAfterFailure("claimsByResult"));
    }

    @Test
    public void methods_of_the_class_are_part_of_a_round() throws ReflectiveOperationException {
        assertEquals("begin again begin used true", callAfterFailure("claimsByMethod"));
        assertEquals("begin again begin used null", callAfterFailure("claimsInMethod"));
    }

    private static Other other(int most) {
        return new Other() {
            @Override
            public int most(long weight, int from) {
                return weight == 2 ? most : 0;
            }

            @Override
            public boolean isOver() {
                return true;
            }
        };
    }

    @Test
    public void before_a_call_of_a_method_that_may_read_there_is_a_hook_with_its_receiver() throws ReflectiveOperationException {
        assertEquals("begin call again begin call used true", callAfterFailure("claimsByAnswer", other(10)));
        assertEquals("begin call used false", call("claimsByAnswer", other(0)));
        assertEquals("begin call of null used NullPointerException", call("claimsByAnswer", (Object) null));
    }

    @Test
    public void objects_can_be_made_and_thrown_at_an_exit() throws ReflectiveOperationException {
        assertEquals("begin again begin used a", callAfterFailure("claimsOrThrows", 5));
        assertEquals("begin used IllegalStateException", call("claimsOrThrows", 1));
        atomic("n").set(10);
        assertEquals("begin used nonea", call("claimsOrThrows", 1));
    }

    @Test
    public void an_exception_in_a_round_gets_to_the_same_handler() throws ReflectiveOperationException {
        set("counts", new int[] {1});
        assertEquals("begin again begin used 1", callAfterFailure("claimsElement", 0));
        assertEquals("begin used -2", call("claimsElement", 1));
        set("any", null);
        assertEquals("begin used -1", call("claimsElement", 0));
        set("any", "a");
        assertEquals("begin used ClassCastException", call("claimsElement", 0));
        set("counts", new int[2]);
        assertEquals("begin used ArithmeticException", call("claimsElement", 0));
        assertEquals("begin used ArrayIndexOutOfBoundsException", call("claimsName", 2));
    }

    @Test
    public void an_exception_is_thrown_as_it_is() throws ReflectiveOperationException {
        NullPointerException thrown = new NullPointerException();
        Other throwing = new Other() {
            @Override
            public int most(long weight, int from) {
                throw thrown;
            }

            @Override
            public boolean isOver() {
                return false;
            }
        };
        try {
            shapes.getClass().getMethod("claimsByAnswer", Other.class).invoke(shapes, throwing);
            fail();
        } catch (InvocationTargetException e) {
            assertSame(thrown, e.getCause());
        }
    }

    @Test
    public void where_a_round_leads_to_a_copy_it_is_settled_before_that() throws ReflectiveOperationException {
        assertEquals("begin again begin used 10", callAfterFailure("claimsAndWaits"));
    }

    @Test
    public void in_a_round_a_copy_can_lead_on_to_the_compareAndSet() throws ReflectiveOperationException {
        assertEquals("begin used true", call("claimsTheOtherWay"));
        atomic("n").set(10);
        assertEquals("begin used false", call("claimsTheOtherWay"));
    }

    @Test
    public void a_round_begins_where_a_copy_of_its_start_leads_on_into_it() throws ReflectiveOperationException {
        assertFalse(ATTEMPTS.get("claimsNode").isEmpty());
        assertEquals("begin used first", call("claimsNode"));
        AtomicReference<Node> top = top();
        top.set(new Node("second", null));
        Recorder.whenBegun = () -> {
            Recorder.whenBegun = () -> { };
            top.set(new Node("third", null));
        };
        assertEquals("begin again begin used third", call("claimsNode"));
    }

    @Test
    public void a_switch_can_lead_back() throws ReflectiveOperationException {
        assertEquals("begin again begin used true", callAfterFailure("claimsByCases", 3));
        atomic("n").set(9);
        assertEquals("begin used false", call("claimsByCases", 3));
    }
}
