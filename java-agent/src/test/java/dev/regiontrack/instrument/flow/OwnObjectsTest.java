package dev.regiontrack.instrument.flow;

import static org.junit.Assert.assertEquals;

import dev.regiontrack.Tables;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Which modelled calls are on objects that never leave the method that creates them. */
public class OwnObjectsTest {
    private static final String TABLE = "class java.util.ArrayList java.util.HashMap java.lang.StringBuilder\n"
        + "read size get\nwrite add put append addAll\nview iterator keySet values subList parallelStream stream\n"
        + "group iterator\nread next hasNext\ngroup stream\nview map mapToInt\nread forEach sum\n"
        + "passing java.util.ArrayList\nread/0 addAll/1\n";

    /** A method for each way of staying and leaving. If every call keeps its hook, the name begins with "leaves". */
    static class Ways {
        static List<Object> kept;
        List<Object> field;

        static int stays(Object element) {
            List<Object> own = new ArrayList<>();
            own.add(element);
            return own.size();
        }

        static int staysWithViews(Object element) {
            Map<Object, Object> own = new HashMap<>();
            own.put(element, element);
            int n = 0;
            for (Iterator<Object> i = own.keySet().iterator(); i.hasNext(); n++) {
                kept = new ArrayList<>(List.of(i.next()));
            }
            return n;
        }

        static String staysInChains(int n, CharSequence other) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < n; i++) {
                text = text.append(i).append(new StringBuilder().append(other));
            }
            return text.toString();
        }

        static int staysOnBothPaths(boolean isFirst) {
            List<Object> one = isFirst ? new ArrayList<>() : null;
            if (one == null) {
                one = new ArrayList<>(8);
            }
            return one.size();
        }

        static int staysWithThreadsOfAStream(Object element) {
            List<Object> own = new ArrayList<>();
            own.add(element);
            return own.parallelStream().mapToInt(Object::hashCode).sum();
        }

        static List<Object> leavesByReturn() {
            List<Object> own = new ArrayList<>();
            own.add("");
            return own;
        }

        static StringBuilder leavesByReturnOfAChain() {
            return new StringBuilder().append("one").append(2);
        }

        static void leavesByStaticField() {
            List<Object> own = new ArrayList<>();
            own.add("");
            kept = own;
        }

        void leavesByField() {
            List<Object> own = new ArrayList<>();
            own.add("");
            field = own;
        }

        static int leavesByElement(Object[] into) {
            List<Object> own = new ArrayList<>();
            into[0] = own;
            return own.size();
        }

        static int leavesByArgument() {
            List<Object> own = new ArrayList<>();
            Collections.shuffle(own);
            return own.size();
        }

        static int leavesByCollection(List<Object> into) {
            List<Object> own = new ArrayList<>();
            into.add(own);
            return own.size();
        }

        static Runnable leavesByCapture() {
            List<Object> own = new ArrayList<>();
            own.add("");
            return () -> own.add("");
        }

        static Iterator<Object> leavesByView() {
            List<Object> own = new ArrayList<>();
            own.add("");
            return own.subList(0, 1).iterator();
        }

        static int leavesByMonitor() {
            List<Object> own = new ArrayList<>();
            synchronized (own) {
                return own.size();
            }
        }

        static int leavesBecauseOfAnother(boolean isOwn, List<Object> other) {
            List<Object> one = isOwn ? new ArrayList<>() : other;
            return one.size();
        }

        static void leavesToItsArgument(List<Object> other) {
            ArrayList<Object> own = new ArrayList<>();
            own.addAll(other);
        }

        static void leavesIfThereIsAnException(Object element) {
            List<Object> own = new ArrayList<>();
            try {
                own.add(element);
                element.notify();
            } catch (IllegalMonitorStateException e) {
                kept = own;
            }
        }

        static void leavesBeforeTheNextOne(int n) {
            List<Object> own = null;
            for (int i = 0; i < n; i++) {
                if (own != null) {
                    kept = own;
                }
                own = new ArrayList<>();
                own.add(i);
            }
        }

        static int leavesAsEitherOfTwo(boolean isFirst) {
            List<Object> one = new ArrayList<>();
            List<Object> other = new ArrayList<>();
            kept = isFirst ? one : other;
            return one.size() + other.size();
        }

        static Object leavesToAConstructor() {
            List<Object> own = new ArrayList<>();
            own.add("");
            return new SoftReference<>(own);
        }

        static Object leavesByVariableArguments() {
            List<Object> own = new ArrayList<>();
            own.add("");
            return Arrays.asList(1, own);
        }

        @SuppressWarnings("unchecked")
        static void leavesByCast() {
            Object own = new ArrayList<>();
            ((List<Object>) own).add("");
            kept = (List<Object>) own;
        }

        static void leavesToThreadsOfAStream() {
            List<Object> own = new ArrayList<>();
            own.add("");
            own.parallelStream().forEach(own::remove);
        }

        static Stream<String> leavesByStream() {
            List<Object> own = new ArrayList<>();
            own.add("");
            return own.stream().map(Object::toString);
        }

        static void leavesByIterator(List<Object> into) {
            Map<Object, Object> own = new HashMap<>();
            own.put("", "");
            into.add(own.keySet().iterator());
        }

        static void leavesToItself() {
            List<Object> own = new ArrayList<>();
            own.add(own);
        }
    }

    private static ClassNode read() throws IOException {
        ClassNode node = new ClassNode();
        new ClassReader(Ways.class.getName()).accept(node, 0);
        return node;
    }

    /** Returns the methods' names with the names of the calls without a hook, each once. */
    private static Set<String> own(boolean isLeaving) throws IOException {
        Tables.load(TABLE);
        ClassNode type = read();
        Set<String> found = new TreeSet<>();
        for (MethodNode method : type.methods) {
            if (method.name.startsWith("leaves") == isLeaving) {
                for (AbstractInsnNode insn : OwnObjects.calls(type.name, method)) {
                    found.add(method.name + '.' + ((MethodInsnNode) insn).name);
                }
            }
        }
        return found;
    }

    @Test
    public void objectsThatStayNeedNoHook() throws IOException {
        assertEquals(new TreeSet<>(Set.of("stays.add", "stays.size", "staysWithViews.put", "staysWithViews.keySet", "staysWithViews.iterator",
            "staysWithViews.hasNext", "staysWithViews.next", "staysInChains.append", "staysOnBothPaths.size",
            "staysWithThreadsOfAStream.add", "staysWithThreadsOfAStream.parallelStream", "staysWithThreadsOfAStream.mapToInt",
            "staysWithThreadsOfAStream.sum")), own(false));
    }

    @Test
    public void thoseThatLeaveAnywhereKeepTheirHooks() throws IOException {
        assertEquals(Set.of(), own(true));
    }
}
