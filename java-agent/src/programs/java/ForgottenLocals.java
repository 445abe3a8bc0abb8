import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * A class whose frames know nothing of a local that nobody needs any more, not even of {@code this}: so do those of optimizers. Javac forgets a local only at the end of its
 * scope.
 */
public class ForgottenLocals {
    /** Made once more without what its frames need not know. */
    public static class Shapes implements Callable<String> {
        private final AtomicInteger number = new AtomicInteger(7);
        private final AtomicReference<String> text = new AtomicReference<>("text");
        private final ConcurrentHashMap<String, String> map = new ConcurrentHashMap<>();
        private volatile long wide = 3;
        private int hash;
        private long wideHash;
        private String name;

        /** Where the round ends in use of what was read, the value is on the stack, and no local is needed. */
        int spun(boolean isLess) {
            int seen;
            do {
                seen = number.get();
            } while (seen == 0);
            return isLess ? seen - 1 : seen + 1;
        }

        long spunWide(long least, int more) {
            long seen;
            do {
                seen = wide;
            } while (seen < least);
            return seen > more ? seen : more;
        }

        /** A look into a map, and another one. */
        String put(String key, String value) {
            String found = map.get(key);
            if (found == null) {
                found = map.putIfAbsent(key, value);
            }
            return found == null ? value : found;
        }

        /** What is to be put there is made on two ways. */
        void grow(boolean isTwice) {
            String old;
            do {
                old = text.get();
            } while (!text.compareAndSet(old, isTwice ? old.concat(old) : new String(old)));
        }

        /** Filled with one of two values, and nothing follows. */
        void fill(boolean isLong) {
            if (hash == 0) {
                hash = isLong ? map.hashCode() + 1 : map.size() + 2;
            }
        }

        void fillWide(boolean isLong) {
            if (wideHash == 0) {
                wideHash = isLong ? map.hashCode() + 1L : map.size() + 2L;
            }
        }

        void fillName(boolean isLong) {
            if (name == null) {
                name = isLong ? map.toString() : String.valueOf(map.size());
            }
        }

        @Override
        public String call() {
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < 2; i++) {
                boolean isFirst = i == 0;
                all.append(spun(isFirst)).append(' ').append(spunWide(i, 5)).append(' ').append(put("a", "b" + i)).append(' ');
                grow(isFirst);
                fill(isFirst);
                fillWide(isFirst);
                fillName(isFirst);
                all.append(text.get()).append(' ').append(hash).append(' ').append(wideHash).append(' ').append(name).append('\n');
            }
            return all.toString();
        }
    }

    /** Loads that class from its file, changed. */
    private static final class Loader extends ClassLoader {
        private int forgotten;

        Loader() {
            super(ForgottenLocals.class.getClassLoader());
        }

        Class<?> load(String name) throws IOException {
            ClassNode type = new ClassNode();
            try (InputStream file = getResourceAsStream(name + ".class")) {
                new ClassReader(file).accept(type, ClassReader.EXPAND_FRAMES);
            }
            for (MethodNode method : type.methods) {
                forgotten += forget(method);
            }
            ClassWriter writer = new ClassWriter(0);
            type.accept(writer);
            byte[] bytes = writer.toByteArray();
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    /** Takes all locals out of frames from which the code goes straight to the end of the method, and reads none. Returns how many that were. */
    private static int forget(MethodNode method) {
        int forgotten = 0;
        for (AbstractInsnNode insn : method.instructions) {
            if (insn instanceof FrameNode && !needsLocals(insn)) {
                forgotten += ((FrameNode) insn).local.size();
                ((FrameNode) insn).local = new ArrayList<>();
            }
        }
        return forgotten;
    }

    private static boolean needsLocals(AbstractInsnNode from) {
        AbstractInsnNode insn = from;
        while (insn.getOpcode() < Opcodes.IRETURN || insn.getOpcode() > Opcodes.RETURN) {
            if (insn instanceof VarInsnNode || insn instanceof IincInsnNode || insn instanceof JumpInsnNode) {
                return true;
            }
            insn = insn.getNext();
        }
        return false;
    }

    public static void main(String[] args) throws Exception {
        Loader loader = new Loader();
        Callable<?> shapes = (Callable<?>) loader.load("ForgottenLocals$Shapes").getDeclaredConstructor().newInstance();
        System.out.println(loader.forgotten + " forgotten");
        System.out.print(shapes.call());
    }
}
