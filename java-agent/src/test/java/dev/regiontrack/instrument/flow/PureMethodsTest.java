package dev.regiontrack.instrument.flow;

import static org.junit.Assert.assertEquals;

import dev.regiontrack.instrument.profile.Watching;
import dev.regiontrack.instrument.selection.ArrayMode;
import dev.regiontrack.runtime.sites.ClassInfo;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** Which methods only read and compute. */
public class PureMethodsTest {

    /** A method's name begins with what it does. */
    static class Methods {
        static int shared;
        static final int SIZE = Integer.getInteger("no.such.property", 3);
        final int constant = SIZE;
        AtomicInteger n;
        int[] elements;
        Methods other;
        int plain;

        int computesSum(int one, int two) {
            return one + two * constant;
        }

        static double computesMost(double one, int two) {
            return Math.max(one, Integer.bitCount(two)) / 2;
        }

        boolean computesByOwn(int one) {
            return one != 0 && isEven(one);
        }

        static int computesWithLocal(int one) {
            int result = one;
            result++;
            return one % 3 == 0 ? result : one;
        }

        private static boolean isEven(int one) {
            return one % 2 == 0;
        }

        int readsField() {
            return plain;
        }

        int readsStatic() {
            return shared;
        }

        int readsAtomic() {
            return n.get();
        }

        int readsElement(int i) {
            return elements[i];
        }

        /** The object may be null, so it can throw. */
        int readsOther() {
            return other.plain + elements.length;
        }

        int readsByOwn() {
            return isEven(plain) ? 1 : 0;
        }

        protected boolean readsForSubclasses() {
            return plain > 0;
        }

        int writesField(int to) {
            plain = to;
            return to;
        }

        int writesElement(int i) {
            elements[i] = i;
            return i;
        }

        int writesAtomic() {
            return n.incrementAndGet();
        }

        boolean writesPerhaps(int to) {
            return n.compareAndSet(to, to + 1);
        }

        Object computesNew() {
            return new Object();
        }

        int computesOrThrows(int one) {
            if (one < 0) {
                throw new IllegalArgumentException("less than none");
            }
            return one;
        }

        Methods computesOwn() {
            return new Methods(1);
        }

        Object writesInNew() {
            return new StringBuffer(new PureMethodsTest().toString());
        }

        Methods() {
            this(2);
        }

        Methods(int plain) {
            this.plain = plain;
        }

        /** Links its own object to another one. */
        Methods(Methods before, int plain) {
            this.plain = before.constant + plain;
            other = before;
        }

        /** Writes a field of another object. */
        Methods(Methods other) {
            other.plain = 1;
        }

        Methods(long told) {
            counter++;
        }

        Methods(boolean tells) {
            other = this;
            other.other = null;
        }

        int writesByOwn(int to) {
            return writesField(to);
        }

        int readsAfterFence() {
            int found = plain;
            VarHandle.acquireFence();
            return found;
        }

        int writesAfterFence() {
            VarHandle.fullFence();
            return plain;
        }

        int writesInInitializer() {
            return PureMethodsTest.counter;
        }

        long readsEach(int[] all) {
            long result = 0;
            for (int i = 0; i < all.length; i++) {
                result += all[i];
            }
            return result;
        }

        long readsUpTo(int most) {
            long result = 0;
            for (int i = 0; i < most; i++) {
                result += plain;
            }
            return result;
        }

        int loops() {
            int i = 0;
            while (plain > i) {
                i++;
            }
            return i;
        }

        synchronized int locks() {
            return plain;
        }

        int locksOther() {
            synchronized (other) {
                return plain;
            }
        }

        int callsAny(Map<String, Integer> any) {
            return any.size();
        }

        int callsItself(int n) {
            return n == 0 ? 0 : hidden(n - 1);
        }

        private int hidden(int n) {
            return n == 0 ? 0 : hidden(n - 1);
        }

        /** Private, and pure. */
        private int secret() {
            return constant;
        }

        int computesSecret() {
            return secret();
        }

        int catches() {
            try {
                return other.plain;
            } catch (NullPointerException e) {
                return 0;
            }
        }

        void computesVoid() {
        }

        void readsOrThrows() {
            if (plain < 0) {
                throw new IllegalStateException();
            }
        }

        int readsArray(int[] any) {
            return any[0];
        }

        Class<?> loads() {
            return PureMethodsTest.class;
        }

        Object computesCast(Object any) {
            return any instanceof Methods ? any : (String) any;
        }

        Object writesInLoading(Object any) {
            return (PureMethodsTest) any;
        }
    }

    static int counter;

    /** Further questions to methods that have hooks for them. */
    static class Further {
        int plain;
        PureMethodsTest.Methods other;

        boolean readsByOther() {
            return other.writesField(1) > 0;
        }

        int readsByOtherWith(long n) {
            return PureMethodsTest.told(n) + Further.<Integer>readsByInterface(null, 1, 2);
        }

        static <T> int readsByInterface(Asked any, int one, int two) {
            return any.value(one, two);
        }

        int leavesWithMoreWords(Asked any) {
            return any.value(1, 2, 3);
        }

        int leavesWithMoreCalls(Asked any) {
            return any.value(1, 2) + any.value(3, 4) + any.value(5, 6);
        }

        void leavesWithoutResult(Asked any) {
            any.put(1);
        }

        int leavesByPlatform(Map<String, Integer> any) {
            return any.size();
        }

        void readsOrThrowsShared() {
            if (plain < 0) {
                throw SHARED;
            }
        }

        /** Only the path that throws has an effect. */
        int readsOrTellsAndThrows() {
            if (plain < 0) {
                plain = 0;
                throw new UnsupportedOperationException(other + " " + plain);
            }
            return plain;
        }

        boolean readsConstantOfOther() {
            return plain == PureMethodsTest.counter && other != State.DONE.of;
        }

        int leavesWithMoreFields() {
            return PureMethodsTest.counter + PureMethodsTest.counter + PureMethodsTest.counter;
        }

        void leavesInStaticOfOther() {
            PureMethodsTest.counter = plain;
        }

        int leavesWhereItReturns() {
            if (plain < 0) {
                plain = 0;
            }
            return plain;
        }

        int leavesAndReturnsUnlessItThrows() {
            if (plain >= 0) {
                plain = 0;
                return 1;
            }
            throw SHARED;
        }

        void leavesOrThrows() {
            plain = plain < 0 ? 1 : 0;
            if (plain == 0) {
                throw SHARED;
            }
        }

        long readsAll(Asked[] all, long least) {
            long result = least;
            for (Asked one : all) {
                result = Math.min(result, one.value(1, 2));
            }
            return result;
        }

        int leavesUntil(int n) {
            int i = 0;
            while (plain == n) {
                i++;
            }
            return i;
        }

        int leavesAgain(int n) {
            int result = 0;
            for (int i = 0; i < n; i++) {
                i = plain < 0 ? 0 : i;
                result++;
            }
            return result;
        }

        int leavesWithMore(int n) {
            int most = n;
            for (int i = 0; i < most; i++) {
                most += plain;
            }
            return most;
        }
    }

    enum State {
        DONE;

        final Methods of = null;
    }

    interface Asked {
        int value(int one, int two);

        int value(int one, int two, int three);

        void put(int value);
    }

    static final UnsupportedOperationException SHARED = new UnsupportedOperationException();

    static int told(long n) {
        return counter++ + (int) n;
    }

    /** An atomic object of a class of the program. */
    static class Own extends AtomicReference<String> {
        private static final long serialVersionUID = 1;

        String readsItself() {
            return get();
        }

        String writesItself() {
            return getAndSet(null);
        }
    }

    /** An object that is not of such a class. */
    static class Other extends ThreadLocal<String> {
        String writesPerhaps() {
            return get();
        }
    }

    private static long[] pure(ClassNode type) {
        return pure(type, false);
    }

    private static long[] pure(ClassNode type, boolean loadsQuietly) {
        return methods(type, loadsQuietly, false).all();
    }

    private static PureMethods methods(ClassNode type, boolean loadsQuietly, boolean hasHooks) {
        return new PureMethods(type, new Accesses(type, ArrayMode.REFS, Set.of(), Watching.everything()), loadsQuietly, hasHooks);
    }

    private static ClassNode methods() throws IOException {
        return methods(Methods.class);
    }

    private static ClassNode methods(Class<?> of) throws IOException {
        ClassNode type = new ClassNode();
        new ClassReader(of.getName()).accept(type, ClassReader.EXPAND_FRAMES);
        return type;
    }

    @Test
    public void what_a_method_does_is_in_its_name() throws IOException {
        for (Class<?> type : new Class<?>[] {Methods.class, Own.class, Other.class}) {
            ClassNode node = methods(type);
            check(node, pure(node));
        }
    }

    @Test
    public void with_hooks_it_is_asked_what_others_do_and_a_way_that_throws_ends() throws IOException {
        ClassNode type = methods(Further.class);
        PureMethods all = methods(type, false, true);
        check(type, all.all());
        Map<String, Integer> calls = new TreeMap<>();
        Map<String, Integer> ends = new TreeMap<>();
        for (MethodNode method : type.methods) {
            method.instructions.forEach(insn -> {
                calls.merge(method.name, all.questions().isCall(insn) ? 1 : 0, Integer::sum);
                ends.merge(method.name, all.questions().isEnd(insn) ? 1 : 0, Integer::sum);
            });
        }
        Map<String, Integer> fields = new TreeMap<>();
        for (MethodNode method : type.methods) {
            method.instructions.forEach(insn -> fields.merge(method.name, all.questions().isField(insn) ? 1 : 0, Integer::sum));
        }
        for (Map<String, Integer> each : List.of(calls, fields, ends)) {
            each.values().removeIf(n -> n == 0);
        }
        assertEquals(Map.of("readsByOther", 1, "readsByOtherWith", 1, "readsByInterface", 1, "readsAll", 1), calls);
        assertEquals(Map.of("readsConstantOfOther", 2), fields);
        assertEquals(Set.of("readsOrThrowsShared", "readsOrTellsAndThrows"), ends.keySet());
    }

    /** Methods whose names say whether they do nothing but read and try a {@code compareAndSet}. */
    abstract static class Trying {
        static final AtomicInteger COUNT = new AtomicInteger();
        final AtomicReference<String> text = new AtomicReference<>();
        volatile int most;
        int plain;

        static boolean triesCount(int from, int to) {
            return COUNT.compareAndSet(from, to);
        }

        final boolean triesIfItReads(int from) {
            return from < most && COUNT.weakCompareAndSetPlain(from, from + 1);
        }

        protected boolean triesWithCast(Object from, Object to) {
            return text.compareAndSet((String) from, (String) to);
        }

        boolean otherWhoWrites(int from, int to) {
            plain = to;
            return COUNT.compareAndSet(from, to);
        }

        boolean otherInLoop(int from, int to) {
            while (most == 0) {
                if (COUNT.compareAndSet(from, to)) {
                    return true;
                }
            }
            return false;
        }

        void otherWithoutResult(int from, int to) {
            COUNT.compareAndSet(from, to);
        }

        synchronized boolean otherWithLock(int from, int to) {
            return COUNT.compareAndSet(from, to);
        }

        boolean otherThatCatches(int from, int to) {
            try {
                return COUNT.compareAndSet(from, to);
            } catch (IllegalStateException e) {
                return false;
            }
        }

        boolean otherThatExchanges(int from, int to) {
            return COUNT.compareAndExchange(from, to) == from;
        }

        boolean otherThatReads(int from, int to) {
            return most == from + to;
        }
    }

    @Test
    public void some_methods_only_try_a_compareAndSet() throws IOException {
        ClassNode type = methods(Trying.class);
        for (boolean hasHooks : new boolean[] {false, true}) {
            Set<Long> found = Arrays.stream(methods(type, false, hasHooks).all()).boxed().collect(Collectors.toSet());
            for (MethodNode method : type.methods) {
                boolean isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
                int where = isStatic || (method.access & Opcodes.ACC_PROTECTED) != 0 ? 0 : ClassInfo.IN_PACKAGE;
                boolean tries = found.contains(ClassInfo.pure(isStatic, method.name, method.desc, ClassInfo.LEAVES | ClassInfo.TRIES | where));
                assertEquals(method.name + hasHooks, hasHooks && method.name.startsWith("tries"), tries);
            }
        }
    }

    @Test
    public void without_hooks_others_are_not_asked() throws IOException {
        ClassNode type = methods(Further.class);
        Set<Long> found = Arrays.stream(pure(type)).boxed().collect(Collectors.toSet());
        assertEquals(Map.of(), type.methods.stream().filter(method -> method.name.startsWith("reads") && (method.access & Opcodes.ACC_STATIC) == 0
            && !found.contains(ClassInfo.pure(false, method.name, method.desc, ClassInfo.LEAVES | ClassInfo.IN_PACKAGE))).collect(Collectors.toMap(method -> method.name, method -> "")));
    }

    private static void check(ClassNode type, long[] all) {
        Set<Long> found = Arrays.stream(all).boxed().collect(Collectors.toSet());
        Map<String, String> wrong = new TreeMap<>();
        for (MethodNode method : type.methods) {
            boolean isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
            boolean isAskedFor = !method.name.startsWith("<") && !method.name.startsWith("lambda$") && !method.name.equals("hidden") && !method.name.equals("secret") && !method.name.equals("isEven");
            if (!isAskedFor) {
                continue;
            }
            int does = method.name.startsWith("computes") ? ClassInfo.IGNORES : method.name.startsWith("reads") ? ClassInfo.TOUCHES : ClassInfo.LEAVES;
            int where = isStatic || (method.access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0 ? 0 : ClassInfo.IN_PACKAGE;
            if (!found.contains(ClassInfo.pure(isStatic, method.name, method.desc, does | where))) {
                wrong.put(method.name, "not " + does);
            }
        }
        assertEquals(Map.of(), wrong);
    }

    @Test
    public void a_constructor_is_pure_if_it_writes_its_own_fields() throws IOException {
        Set<Long> found = Arrays.stream(pure(methods())).boxed().collect(Collectors.toSet());
        for (String pure : new String[] {"()V", "(I)V", "(L" + Methods.class.getName().replace('.', '/') + ";I)V"}) {
            assertEquals(pure, true, found.contains(ClassInfo.pure(true, "<init>", pure, ClassInfo.IGNORES)));
        }
        for (String other : new String[] {"(L" + Methods.class.getName().replace('.', '/') + ";)V", "(J)V", "(Z)V"}) {
            assertEquals(other, false, found.contains(ClassInfo.pure(true, "<init>", other, ClassInfo.IGNORES)) || found.contains(ClassInfo.pure(true, "<init>", other, ClassInfo.TOUCHES)));
        }
    }

    @Test
    public void of_a_private_method_nothing_is_known() throws IOException {
        Set<Long> found = Arrays.stream(pure(methods())).boxed().collect(Collectors.toSet());
        assertEquals(true, found.contains(ClassInfo.pure(false, "secret", "()I", ClassInfo.HIDDEN)));
    }

    @Test
    public void a_cast_to_another_class_is_one_if_no_loader_of_the_program_loads_that() throws IOException {
        for (boolean loadsQuietly : new boolean[] {false, true}) {
            Set<Long> found = Arrays.stream(pure(methods(), loadsQuietly)).boxed().collect(Collectors.toSet());
            int casts = (loadsQuietly ? ClassInfo.IGNORES : ClassInfo.LEAVES) | ClassInfo.IN_PACKAGE;
            assertEquals(true, found.contains(ClassInfo.pure(false, "writesInLoading", "(Ljava/lang/Object;)Ljava/lang/Object;", casts)));
        }
    }

    @Test
    public void they_are_sorted() throws IOException {
        long[] sorted = pure(methods());
        Arrays.sort(sorted);
        assertEquals(Arrays.toString(sorted), Arrays.toString(pure(methods())));
    }
}
