package linked;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Rewrites the classes of a folder's jars as optimizers such as ProGuard do: a frame knows nothing of a local that is not read any more.
 * Compilers keep such locals in their frames, and an instrumenter could come to depend on that.
 */
public final class Forgetful {
    /** A class that no JVM can verify. It shows that the JVM verifies at all. */
    private static final String BROKEN = "linked/Broken";

    private Forgetful() {
    }

    /** The arguments are the folder with the jars, and the new folder. */
    public static void main(String[] folders) throws IOException {
        File[] jars = new File(folders[0]).listFiles((in, name) -> name.endsWith(".jar"));
        File into = new File(folders[1]);
        if (jars == null || !into.mkdirs()) {
            throw new IOException("no folder " + folders[0] + ", or there is one " + into);
        }
        for (File jar : jars) {
            rewrite(jar, new File(into, jar.getName()));
        }
        try (ZipOutputStream to = new ZipOutputStream(new FileOutputStream(new File(into, "broken.jar")))) {
            to.putNextEntry(new ZipEntry(BROKEN + ".class"));
            to.write(broken());
        }
    }

    /** Writes the classes and the manifest, which says whether classes have several versions, but no signatures. */
    private static void rewrite(File jar, File result) throws IOException {
        try (JarFile from = new JarFile(jar, false); ZipOutputStream to = new ZipOutputStream(new FileOutputStream(result))) {
            to.setLevel(Deflater.BEST_SPEED);
            for (ZipEntry entry : Collections.list(from.entries())) {
                boolean isClass = entry.getName().endsWith(".class");
                if (!isClass && !entry.getName().equals(JarFile.MANIFEST_NAME)) {
                    continue;
                }
                try (InputStream in = from.getInputStream(entry)) {
                    byte[] bytes = in.readAllBytes();
                    to.putNextEntry(new ZipEntry(entry.getName()));
                    to.write(isClass ? forgetful(bytes, entry.getName()) : bytes);
                }
            }
        }
    }

    private static byte[] forgetful(byte[] bytes, String name) {
        try {
            ClassNode type = new ClassNode();
            new ClassReader(bytes).accept(type, ClassReader.EXPAND_FRAMES);
            type.methods.forEach(Forgetful::forget);
            ClassWriter writer = new ClassWriter(0);
            type.accept(writer);
            return writer.toByteArray();
        } catch (RuntimeException unreadable) {
            System.out.println(name + " stays as it is: " + unreadable);
            return bytes;
        }
    }

    private static void forget(MethodNode method) {
        List<FrameNode> frames = new ArrayList<>();
        for (AbstractInsnNode instruction : method.instructions) {
            if (instruction instanceof FrameNode) {
                frames.add((FrameNode) instruction);
            }
        }
        if (!frames.isEmpty()) {
            BitSet[] needed = Needed.before(method);
            frames.forEach(frame -> frame.local = kept(frame.local, needed[method.instructions.indexOf(frame)]));
        }
    }

    /** Returns what a frame still knows of its locals. The verifier itself requires objects that are not initialized. */
    private static List<Object> kept(List<Object> locals, BitSet needed) {
        List<Object> kept = new ArrayList<>();
        for (Object local : locals) {
            boolean isUninitialized = local == Opcodes.UNINITIALIZED_THIS || local instanceof LabelNode;
            boolean isWide = local == Opcodes.LONG || local == Opcodes.DOUBLE;
            if (isUninitialized || needed.get(number(kept))) {
                kept.add(local);
            } else {
                kept.addAll(Collections.nCopies(isWide ? 2 : 1, Opcodes.TOP));
            }
        }
        while (!kept.isEmpty() && kept.get(kept.size() - 1) == Opcodes.TOP) {
            kept.remove(kept.size() - 1);
        }
        return kept;
    }

    /** Returns the number of the local that follows these. */
    private static int number(List<Object> locals) {
        return locals.stream().mapToInt(local -> local == Opcodes.LONG || local == Opcodes.DOUBLE ? 2 : 1).sum();
    }

    /** Returns a class with a method that returns an argument it does not have. */
    private static byte[] broken() {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, BROKEN, null, "java/lang/Object", null);
        MethodVisitor method = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "broken", "()I", null, null);
        method.visitCode();
        method.visitVarInsn(Opcodes.ILOAD, 0);
        method.visitInsn(Opcodes.IRETURN);
        method.visitMaxs(1, 1);
        method.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }
}
