package dev.regiontrack.instrument.profile;

import java.util.Arrays;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Finds what has pushed a reference that a call gets, by going back from the call while the code is straight-line. Most receivers are loaded just
 * before the call, so this takes a fraction of the time of an analysis of the whole method.
 */
final class Pushes {
    /** The answer if it is no field; a field is answered by the instruction that loads it. */
    static final AbstractInsnNode NO_FIELD = new LdcInsnNode("");
    /** The code is not straight-line, or a local has the reference. */
    static final AbstractInsnNode UNKNOWN = new LdcInsnNode("");
    /** The number of words that an instruction pops and pushes, four bits each, by its opcode; -1 where the way back ends. */
    private static final int[] WORDS = new int[256];

    static {
        Arrays.fill(WORDS, -1);
        put(0, 0, Opcodes.NOP, Opcodes.NOP);
        put(0, 1, Opcodes.ACONST_NULL, Opcodes.SIPUSH);
        put(0, 2, Opcodes.LCONST_0, Opcodes.LCONST_1);
        put(0, 2, Opcodes.DCONST_0, Opcodes.DCONST_1);
        put(0, 1, Opcodes.ILOAD, Opcodes.ALOAD);
        put(0, 2, Opcodes.LLOAD, Opcodes.LLOAD);
        put(0, 2, Opcodes.DLOAD, Opcodes.DLOAD);
        put(2, 1, Opcodes.IALOAD, Opcodes.SALOAD);
        put(2, 2, Opcodes.LALOAD, Opcodes.LALOAD);
        put(2, 2, Opcodes.DALOAD, Opcodes.DALOAD);
        put(3, 0, Opcodes.IASTORE, Opcodes.SASTORE);
        put(4, 0, Opcodes.LASTORE, Opcodes.LASTORE);
        put(4, 0, Opcodes.DASTORE, Opcodes.DASTORE);
        put(1, 2, Opcodes.DUP, Opcodes.DUP);
        for (int op = Opcodes.IADD; op <= Opcodes.DREM; op += 4) {
            arithmetic(op, 1);
        }
        arithmetic(Opcodes.INEG, 0);
        for (int op = Opcodes.ISHL; op <= Opcodes.LUSHR; op += 2) {
            put(2, 1, op, op);
            put(3, 2, op + 1, op + 1);
        }
        for (int op = Opcodes.IAND; op <= Opcodes.LXOR; op += 2) {
            put(2, 1, op, op);
            put(4, 2, op + 1, op + 1);
        }
        put(1, 1, Opcodes.I2F, Opcodes.I2F);
        put(1, 2, Opcodes.I2L, Opcodes.I2L);
        put(1, 2, Opcodes.I2D, Opcodes.I2D);
        put(2, 1, Opcodes.L2I, Opcodes.L2F);
        put(2, 2, Opcodes.L2D, Opcodes.L2D);
        put(1, 1, Opcodes.F2I, Opcodes.F2I);
        put(1, 2, Opcodes.F2L, Opcodes.F2D);
        put(2, 1, Opcodes.D2I, Opcodes.D2I);
        put(2, 2, Opcodes.D2L, Opcodes.D2L);
        put(2, 1, Opcodes.D2F, Opcodes.D2F);
        put(1, 1, Opcodes.I2B, Opcodes.I2S);
        put(4, 1, Opcodes.LCMP, Opcodes.LCMP);
        put(2, 1, Opcodes.FCMPL, Opcodes.FCMPG);
        put(4, 1, Opcodes.DCMPL, Opcodes.DCMPG);
        put(0, 1, Opcodes.NEW, Opcodes.NEW);
        put(1, 1, Opcodes.NEWARRAY, Opcodes.ARRAYLENGTH);
        put(1, 1, Opcodes.CHECKCAST, Opcodes.INSTANCEOF);
    }

    private final MethodNode method;
    /** By local: the only instruction that stores a reference there; {@link #UNKNOWN} if there are several. */
    private AbstractInsnNode[] stores;

    Pushes(MethodNode method) {
        this.method = method;
    }

    private static void put(int pops, int pushes, int first, int last) {
        for (int op = first; op <= last; op++) {
            WORDS[op] = pops << 4 | pushes;
        }
    }

    /** Enters four instructions, one for each numeric type; each pops one or two numbers and pushes one. */
    private static void arithmetic(int first, int besides) {
        for (int i = 0; i < 4; i++) {
            int words = 1 + i % 2;
            put(words + words * besides, words, first + i, first + i);
        }
    }

    /**
     * Returns the field that holds the receiver of a call, the argument at a position, or the collection of which it is a view; {@link #NO_FIELD} if
     * something else does.
     */
    AbstractInsnNode operand(MethodInsnNode call, int position) {
        Type[] types = Type.getArgumentTypes(call.desc);
        int above = 0;
        for (int i = position + 1; i < types.length; i++) {
            above += types[i].getSize();
        }
        return under(call, above);
    }

    /** Returns what has pushed the reference that has {@code above} words above it before an instruction. */
    private AbstractInsnNode under(AbstractInsnNode before, int above) {
        for (AbstractInsnNode insn = before.getPrevious(); insn != null; insn = insn.getPrevious()) {
            if (insn instanceof FrameNode) {
                return UNKNOWN;
            }
            int words = insn.getOpcode() < 0 ? 0 : words(insn);
            if (words < 0) {
                return UNKNOWN;
            }
            int pushes = words & 0xf;
            if (above >= pushes) {
                above += (words >> 4) - pushes;
            } else if (insn.getOpcode() == Opcodes.DUP) {
                above = 0;
            } else if (insn.getOpcode() != Opcodes.CHECKCAST) {
                return source(insn);
            }
        }
        return UNKNOWN;
    }

    private AbstractInsnNode source(AbstractInsnNode insn) {
        switch (insn.getOpcode()) {
            case Opcodes.GETFIELD: case Opcodes.GETSTATIC:
                return insn;
            case Opcodes.ALOAD:
                return local(((VarInsnNode) insn).var);
            case Opcodes.INVOKEVIRTUAL: case Opcodes.INVOKEINTERFACE:
                MethodInsnNode call = (MethodInsnNode) insn;
                return Origins.isView(call) ? operand(call, -1) : NO_FIELD;
            default:
                return NO_FIELD;
        }
    }

    /** Returns what was stored in a local, if only one instruction stores a reference there; without one, the local has an argument. */
    private AbstractInsnNode local(int local) {
        if (stores == null) {
            findStores();
        }
        AbstractInsnNode store = stores[local];
        if (store == null || store == UNKNOWN) {
            return store == null ? NO_FIELD : UNKNOWN;
        }
        // Two locals can be copies of each other.
        stores[local] = UNKNOWN;
        AbstractInsnNode found = under(store, 0);
        stores[local] = store;
        return found;
    }

    /** Finds the stores. An argument that is replaced has two values. */
    private void findStores() {
        stores = new AbstractInsnNode[method.maxLocals];
        int arguments = (Type.getArgumentsAndReturnSizes(method.desc) >> 2) - ((method.access & Opcodes.ACC_STATIC) != 0 ? 1 : 0);
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            if (insn.getOpcode() == Opcodes.ASTORE) {
                int local = ((VarInsnNode) insn).var;
                stores[local] = local < arguments || stores[local] != null ? UNKNOWN : insn;
            }
        }
    }

    /** As in {@link #WORDS}. */
    private static int words(AbstractInsnNode insn) {
        switch (insn.getOpcode()) {
            case Opcodes.LDC:
                Object constant = ((LdcInsnNode) insn).cst;
                return constant instanceof Long || constant instanceof Double ? 2 : constant instanceof ConstantDynamic ? -1 : 1;
            case Opcodes.GETSTATIC:
                return size((FieldInsnNode) insn);
            case Opcodes.GETFIELD:
                return 1 << 4 | size((FieldInsnNode) insn);
            case Opcodes.INVOKEVIRTUAL: case Opcodes.INVOKESPECIAL: case Opcodes.INVOKEINTERFACE: case Opcodes.INVOKESTATIC:
                int sizes = Type.getArgumentsAndReturnSizes(((MethodInsnNode) insn).desc);
                int pops = (sizes >> 2) - (insn.getOpcode() == Opcodes.INVOKESTATIC ? 1 : 0);
                return pops << 4 | sizes & 3;
            default:
                return WORDS[insn.getOpcode()];
        }
    }

    private static int size(FieldInsnNode insn) {
        char type = insn.desc.charAt(0);
        return type == 'J' || type == 'D' ? 2 : 1;
    }
}
