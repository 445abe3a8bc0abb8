package dev.regiontrack.instrument.code;

import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The indices of instructions of methods without line numbers, in the class file without hooks. The tree of a class has no indices, and they cannot
 * be computed from it: it does not show in which form the file has a constant or a jump.
 */
public final class Indices {
    /** The number of bytes of an instruction, by its opcode; {@code t} and {@code l} are switches, {@code w} makes another instruction wider. */
    private static final String SIZES = "1".repeat(16) + "23233" + "2".repeat(5) + "1".repeat(28) + "2".repeat(5) + "1".repeat(73) + "3" + "1".repeat(20)
        + "3".repeat(16) + "2tl" + "1".repeat(6) + "3".repeat(7) + "55" + "323" + "11" + "33" + "11" + "w" + "4" + "33" + "55";
    private static final int JSR_W = 201;
    private static final int SHORT = 2;
    private static final int INT = 4;
    /** Bytes from the access flags to the attributes of a field or a method. */
    private static final int MEMBER = 6;
    /** Bytes from the start of the code's attribute to its length, and to the code. */
    private static final int CODE_LENGTH = 10;
    private static final int CODE = 14;

    /** By name and descriptor. */
    private final Map<String, int[]> byMethod = new HashMap<>();
    /** By call in methods that have got hooks since. */
    private final Map<AbstractInsnNode, Integer> calls = new IdentityHashMap<>();

    private Indices() {
    }

    /** Returns the indices of a class, of which {@code type} is the tree. */
    public static Indices of(ClassReader reader, ClassNode type) {
        Indices result = new Indices();
        for (MethodNode method : type.methods) {
            if (method.instructions.size() > 0 && !hasLines(method)) {
                result.byMethod.put(method.name + method.desc, null);
            }
        }
        if (!result.byMethod.isEmpty()) {
            result.read(reader);
        }
        return result;
    }

    /** Returns the indices for a class that is in no file. */
    public static Indices none() {
        return new Indices();
    }

    private static boolean hasLines(MethodNode method) {
        for (AbstractInsnNode insn : method.instructions) {
            if (insn instanceof LineNumberNode) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the index of each instruction, in order, of a method that has no hooks yet, or of a copy of it, without labels and the like. Null if
     * the method has lines, is not in the class file, or has subroutines, of which the tree has copies.
     */
    public int[] of(MethodNode method) {
        int[] indices = byMethod.get(method.name + method.desc);
        return indices != null && indices.length == count(method) ? indices : null;
    }

    /** Keeps the index of an instruction of a method that gets hooks. */
    void keep(AbstractInsnNode insn, int index) {
        if (isCall(insn)) {
            calls.put(insn, index);
        }
    }

    private static boolean isCall(AbstractInsnNode insn) {
        return insn instanceof MethodInsnNode || insn instanceof InvokeDynamicInsnNode;
    }

    /**
     * For the class as it is with its hooks, {@code bytes}: returns the present index of each call in a method without lines, followed by its
     * original one; by name and descriptor of the method.
     */
    public Map<String, int[]> now(byte[] bytes, ClassNode type) {
        Map<String, int[]> result = new HashMap<>();
        Indices now = byMethod.isEmpty() ? this : of(new ClassReader(bytes), type);
        for (MethodNode method : type.methods) {
            int[] indices = now.of(method);
            if (indices != null) {
                result.put(method.name + method.desc, now(method, indices, of(method)));
            }
        }
        return result;
    }

    /** {@code before} if the method has no hooks, otherwise null. */
    private int[] now(MethodNode method, int[] now, int[] before) {
        int[] pairs = new int[2 * now.length];
        int count = 0;
        int at = 0;
        for (AbstractInsnNode insn : method.instructions) {
            Integer was = !isCall(insn) ? null : before == null ? calls.get(insn) : Integer.valueOf(before[at]);
            if (was != null) {
                pairs[count++] = now[at];
                pairs[count++] = was;
            }
            at += insn.getOpcode() >= 0 ? 1 : 0;
        }
        return Arrays.copyOf(pairs, count);
    }

    private static int count(MethodNode method) {
        int count = 0;
        for (AbstractInsnNode insn : method.instructions) {
            count += insn.getOpcode() >= 0 ? 1 : 0;
        }
        return count;
    }

    private void read(ClassReader reader) {
        char[] buffer = new char[reader.getMaxStringLength()];
        int at = reader.header + MEMBER;
        at += SHORT + SHORT * reader.readUnsignedShort(at);
        int fields = reader.readUnsignedShort(at);
        at += SHORT;
        for (int i = 0; i < fields; i++) {
            at = attributes(reader, at + MEMBER, null, buffer);
        }
        int methods = reader.readUnsignedShort(at);
        at += SHORT;
        for (int i = 0; i < methods; i++) {
            String name = reader.readUTF8(at + SHORT, buffer) + reader.readUTF8(at + 2 * SHORT, buffer);
            at = attributes(reader, at + MEMBER, byMethod.containsKey(name) ? name : null, buffer);
        }
    }

    /** Reads the code among the attributes of a method whose name is not null; returns where they end. */
    private int attributes(ClassReader reader, int from, String method, char[] buffer) {
        int at = from + SHORT;
        for (int i = reader.readUnsignedShort(from); i > 0; i--) {
            if (method != null && reader.readUTF8(at, buffer).equals("Code")) {
                byMethod.put(method, indices(reader, at + CODE, reader.readInt(at + CODE_LENGTH)));
            }
            at += SHORT + INT + reader.readInt(at + SHORT);
        }
        return at;
    }

    private static int[] indices(ClassReader reader, int start, int length) {
        int[] indices = new int[length];
        int count = 0;
        for (int index = 0; index < length; index += size(reader, start, index)) {
            int op = reader.readByte(start + index) & 0xff;
            if (op == Opcodes.JSR || op == JSR_W) {
                return null;
            }
            indices[count++] = index;
        }
        return Arrays.copyOf(indices, count);
    }

    /** Returns the number of bytes of the instruction at an index. */
    private static int size(ClassReader reader, int start, int index) {
        int op = reader.readByte(start + index) & 0xff;
        // The operands of a switch begin at the next index divisible by four.
        int padded = (index & ~(INT - 1)) + INT;
        switch (SIZES.charAt(op)) {
            case 't': {
                int low = reader.readInt(start + padded + INT);
                int high = reader.readInt(start + padded + 2 * INT);
                return padded - index + 3 * INT + (high - low + 1) * INT;
            }
            case 'l':
                return padded - index + 2 * INT + reader.readInt(start + padded + INT) * 2 * INT;
            case 'w':
                return (reader.readByte(start + index + 1) & 0xff) == Opcodes.IINC ? MEMBER : INT;
            default:
                return SIZES.charAt(op) - '0';
        }
    }
}
