package dev.regiontrack.instrument.flow;

import static org.junit.Assert.assertEquals;

import dev.regiontrack.instrument.profile.Watching;
import dev.regiontrack.instrument.selection.ArrayMode;
import dev.regiontrack.runtime.sites.ClassInfo;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
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

/** Which methods do nothing but read and compute. */
public class PureMethodsTest {

    /** What each method does is the beginning of its name. */
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

        /** Of an object that may be null, so it can throw. */
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

    /** An atomic object of the program's own. */
    static class Own extends AtomicReference<String> {
        private static final long serialVersionUID = 1;

        String readsItself() {
            return get();
        }

        String writesItself() {
            return getAndSet(null);
        }
    }

    /** One that is not of such a class. */
    static class Other extends ThreadLocal<String> {
        String writesPerhaps() {
            return get();
        }
    }

    private static long[] pure(ClassNode type) {
        return pure(type, false);
    }

    private static long[] pure(ClassNode type, boolean loadsQuietly) {
        return PureMethods.of(type, new Accesses(type, ArrayMode.REFS, Set.of(), Watching.everything()), loadsQuietly);
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
            check(methods(type));
        }
    }

    private static void check(ClassNode type) {
        Set<Long> found = Arrays.stream(pure(type)).boxed().collect(Collectors.toSet());
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
        for (String pure : new String[] {"()V", "(I)V"}) {
            assertEquals(pure, true, found.contains(ClassInfo.pure(true, "<init>", pure, ClassInfo.IGNORES)));
        }
        for (String other : new String[] {"(L" + Methods.class.getName().replace('.', '/') + ";)V", "(J)V", "(Z)V"}) {
            assertEquals(other, false, found.contains(ClassInfo.pure(true, "<init>", other, ClassInfo.IGNORES)) || found.contains(ClassInfo.pure(true, "<init>", other, ClassInfo.TOUCHES)));
        }
    }

    @Test
    public void of_a_private_method_nothing_is_known() throws IOException {
        Set<Long> found = Arrays.stream(pure(methods())).boxed().collect(Collectors.toSet());
        assertEquals(true, found.contains(ClassInfo.pure(false, "secret", "()I", ClassInfo.LEAVES)));
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
