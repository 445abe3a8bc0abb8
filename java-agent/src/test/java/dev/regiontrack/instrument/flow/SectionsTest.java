package dev.regiontrack.instrument.flow;

import static org.junit.Assert.assertEquals;

import dev.regiontrack.Tables;
import dev.regiontrack.instrument.profile.Watching;
import dev.regiontrack.instrument.selection.ArrayMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Which critical sections may write nothing. */
public class SectionsTest {
    private static final String TABLE = "class java.util.ArrayList\nread size iterator toArray hasNext next\nwrite add\nclass java.util.HashMap\nread values computeIfAbsent\n"
        + "class java.lang.StringBuilder\nread toString\nwrite append\narguments java.util.LinkedList\ntoArray/0 new/1";

    /**
     * A method for each shape. Names begin with what the section does: it {@code reads}, it reads and {@code may} write in as many places as the number at the end of the name, it
     * {@code writes} from its start, or only {@code some} read. These methods call the others.
     */
    abstract static class Shapes {
        static int counted;
        final Lock lock = new ReentrantLock();
        final ReentrantLock fair = new ReentrantLock(true);
        final List<String> names = new ArrayList<>();
        final Iterator<String> steps = names.iterator();
        final Map<String, String> map = new HashMap<>();
        final AtomicInteger atomic = new AtomicInteger();
        final int[] numbers = new int[2];
        Lock changing = lock;
        Object made;
        int n;

        synchronized int[] readsIntoNumbers() {
            int[] copy = new int[numbers.length];
            for (int i = 0; i < copy.length; i++) {
                copy[i] = numbers[i];
            }
            return copy;
        }

        synchronized Object[] readsIntoObjects(int length) {
            Object[] copy = new Object[length];
            copy[0] = made;
            return copy;
        }

        /** From where it is kept on. */
        synchronized void may1() {
            int[] copy = new int[n];
            copy[0] = n;
            if (n > 0) {
                made = copy;
                copy[0] = 2;
            }
        }

        synchronized void writesIntoNumbers() {
            numbers[0] = n;
        }

        synchronized int readsField() {
            return n;
        }

        static synchronized int readsStatic() {
            return counted;
        }

        int readsInStatement() {
            synchronized (this) {
                return n + numbers[0];
            }
        }

        synchronized String readsText() {
            return "n is " + n;
        }

        synchronized Integer readsBoxed(Integer other) {
            return Math.max(n, other) > 0 ? other : Integer.valueOf(atomic.get());
        }

        List<String> readsCopy() {
            synchronized (map) {
                return Collections.unmodifiableList(new LinkedList<>(map.values()));
            }
        }

        String[] readsArray() {
            synchronized (names) {
                return names.toArray(new String[0]);
            }
        }

        int readsAll() {
            synchronized (names) {
                int sum = 0;
                for (String name : names) {
                    sum += name.length();
                }
                return sum;
            }
        }

        /** Only the lock decides whose step comes next. */
        synchronized String writesByStep() {
            return steps.next();
        }

        synchronized String writesByGivenStep(Iterator<String> given) {
            return given.next();
        }

        /** Other threads get the iterator. */
        synchronized String writesByItsFirstStep() {
            Iterator<String> all = names.iterator();
            made = all;
            return all.next();
        }

        synchronized IntSupplier readsToMakeLambda() {
            return () -> n++;
        }

        synchronized int readsOwnMethod() {
            return helps(1);
        }

        private int helps(int depth) {
            synchronized (names) {
                return depth + n;
            }
        }

        synchronized String readsOwnText() {
            return new StringBuilder().append(n).append("x").toString();
        }

        synchronized int readsOrFails() {
            if (n < 0) {
                throw new IllegalStateException("negative");
            }
            return n;
        }

        int readsUnderLock() {
            lock.lock();
            try {
                return n;
            } finally {
                lock.unlock();
            }
        }

        int readsUnderLocal() {
            ReentrantLock held = fair;
            held.lock();
            try {
                return n;
            } finally {
                held.unlock();
            }
        }

        int readsUnderArgument(Lock held) {
            held.lock();
            try {
                return n;
            } finally {
                held.unlock();
            }
        }

        int readsNested() {
            synchronized (this) {
                synchronized (names) {
                    return n;
                }
            }
        }

        synchronized Object mayFillOnce1() {
            if (made == null) {
                made = names;
            }
            return made;
        }

        synchronized int mayWriteArray1(boolean writes) {
            if (writes) {
                numbers[0] = n;
            }
            return n;
        }

        synchronized void mayCall2(int what) {
            if (what == 1) {
                unknown();
            } else if (what == 2) {
                notifyAll();
            }
        }

        synchronized void mayWait1() throws InterruptedException {
            while (n == 0) {
                wait();
            }
        }

        int mayWriteUnderLock1(boolean writes) {
            lock.lock();
            try {
                return writes ? ++n : n;
            } finally {
                lock.unlock();
            }
        }

        int mayLeaveLocked1(boolean leaves) {
            lock.lock();
            if (leaves) {
                return n;
            }
            lock.unlock();
            return 0;
        }

        int mayWriteInHandler1(int at) {
            synchronized (this) {
                try {
                    return numbers[at];
                } catch (ArrayIndexOutOfBoundsException e) {
                    return ++n;
                }
            }
        }

        synchronized int mayWriteManyTimes0(int what) {
            switch (what) {
                case 0: n = 1; return n;
                case 1: n = 2; return n;
                case 2: n = 3; return n;
                case 3: n = 4; return n;
                case 4: n = 5; return n;
                case 5: n = 6; return n;
                case 6: n = 7; return n;
                case 7: n = 8; return n;
                case 8: n = 9; return n;
                default: return n;
            }
        }

        synchronized void writesField(int value) {
            n = value;
        }

        synchronized void writesArray() {
            numbers[0]++;
        }

        synchronized int writesByCall() {
            return unknown();
        }

        abstract int unknown();

        synchronized int writesByOwnMethod() {
            return adds();
        }

        private int adds() {
            return ++n;
        }

        synchronized int writesByOwnMethodOfOwnMethod() {
            return addsToo();
        }

        private int addsToo() {
            return n == 0 ? adds() : n;
        }

        synchronized int writesByOverridable() {
            return canBeOverridden();
        }

        int canBeOverridden() {
            return n;
        }

        synchronized int writesByRecursion() {
            return recurs(n);
        }

        private int recurs(int depth) {
            return depth == 0 ? 0 : recurs(depth - 1);
        }

        synchronized boolean writesList() {
            return names.add("x");
        }

        synchronized String writesByComputing() {
            return map.computeIfAbsent("x", key -> key);
        }

        synchronized int writesAtomic() {
            return atomic.incrementAndGet();
        }

        synchronized String writesByTextOf(Object other) {
            return "other is " + other;
        }

        synchronized String[] writesGivenArray(String[] given) {
            return names.toArray(given);
        }

        synchronized Object writesByConstructor() {
            return new Other(this);
        }

        int writesUnderChangingLock() {
            changing.lock();
            try {
                return n;
            } finally {
                changing.unlock();
            }
        }

        int someUnderTwo() {
            lock.lock();
            fair.lock();
            try {
                return n;
            } finally {
                fair.unlock();
                lock.unlock();
            }
        }

        int writesAndIsLeft() {
            lock.lock();
            return n;
        }
    }

    /** Its constructor gives others access to its maker. */
    static class Other {
        Other(Shapes shapes) {
            shapes.n++;
        }
    }

    /** Returns what the test's names say about a method. */
    private static String found(MethodNode method, ClassNode type) {
        Accesses accesses = new Accesses(type, ArrayMode.REFS, Set.of(), Watching.everything());
        Sections sections = Sections.of(type, method, accesses, OwnObjects.calls(type.name, method), Set.of());
        int begins = 0;
        int all = 0;
        int writes = 0;
        for (AbstractInsnNode insn : method.instructions) {
            begins += sections.begins(insn) ? 1 : 0;
            writes += sections.mayWrite(insn) ? 1 : 0;
            all += insn.getOpcode() == org.objectweb.asm.Opcodes.MONITORENTER || Variables.isLock(insn) ? 1 : 0;
        }
        boolean isSynchronized = (method.access & org.objectweb.asm.Opcodes.ACC_SYNCHRONIZED) != 0;
        if (all == 0 && !isSynchronized) {
            return null;
        }
        boolean isReader = begins == all && sections.isReader() == isSynchronized;
        return isReader ? writes == 0 ? "reads" : "may " + writes : begins == 0 && !sections.isReader() ? "writes" : "some read";
    }

    @Test
    public void sections_that_may_write_nothing_are_found() throws IOException {
        Tables.load(TABLE);
        ClassNode type = new ClassNode();
        new ClassReader(Shapes.class.getName()).accept(type, ClassReader.EXPAND_FRAMES);
        Map<String, String> expected = new TreeMap<>();
        Map<String, String> found = new TreeMap<>();
        for (MethodNode method : type.methods) {
            boolean isNamed = method.name.matches("(reads|may|some|writes)[A-Z].*");
            if (isNamed) {
                String number = method.name.replaceAll(".*[^0-9]", "");
                String kind = method.name.startsWith("reads") ? "reads" : method.name.startsWith("some") ? "some read" : method.name.startsWith("writes") || number.equals("0") ? "writes" : "may " + number;
                expected.put(method.name, kind);
                found.put(method.name, found(method, type));
            }
        }
        assertEquals(expected, found);
    }

    /** Returns the calls of a method before which a section must know the class of the receiver, or of the argument. */
    private static List<String> asked(ClassNode type, String method) {
        Harmless harmless = new Harmless(type, true);
        List<String> result = new ArrayList<>();
        for (MethodNode one : type.methods) {
            for (AbstractInsnNode insn : one.instructions) {
                if (one.name.equals(method) && insn instanceof MethodInsnNode && harmless.reliesOnHook((MethodInsnNode) insn)) {
                    result.add(((MethodInsnNode) insn).name);
                }
            }
        }
        return result;
    }

    @Test
    public void calls_by_an_interface_and_copies_are_asked_for_the_class_of_their_object() throws IOException {
        Tables.load(TABLE);
        ClassNode type = new ClassNode();
        new ClassReader(Shapes.class.getName()).accept(type, ClassReader.EXPAND_FRAMES);
        assertEquals(List.of("values", "<init>"), asked(type, "readsCopy"));
        assertEquals(List.of("toArray"), asked(type, "readsArray"));
        assertEquals(List.of(), asked(type, "readsBoxed"));
        ClassNode without = new ClassNode();
        new ClassReader(WithoutSections.class.getName()).accept(without, ClassReader.EXPAND_FRAMES);
        assertEquals(List.of(), asked(without, "size"));
    }

    /** It has no section for which this could matter. */
    static class WithoutSections {
        final List<String> names = new ArrayList<>();

        int size() {
            return names.size();
        }
    }
}
