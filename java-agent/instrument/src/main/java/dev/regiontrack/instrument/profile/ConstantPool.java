package dev.regiontrack.instrument.profile;

import org.objectweb.asm.ClassReader;

/** Reads the members that a class file names from its constant pool alone. */
final class ConstantPool {
    private static final int CLASS = 7;
    private static final int FIELD = 9;
    private static final int METHOD = 10;
    private static final int INTERFACE_METHOD = 11;
    /** Bytes of a constant's tag; in a member, the index of its class and that of its name and type follow. */
    private static final int TAG = 1;

    private final ClassReader reader;
    private final char[] buffer;

    private ConstantPool(ClassReader reader) {
        this.reader = reader;
        buffer = new char[reader.getMaxStringLength()];
    }

    static ConstantPool of(ClassReader reader) {
        return new ConstantPool(reader);
    }

    /** Whether some member, or a class whose lock is watched, concerns this class. */
    boolean any(Watching watching) {
        for (int i = 1; i < reader.getItemCount(); i++) {
            int at = reader.getItem(i);
            int tag = at == 0 ? 0 : reader.readByte(at - TAG);
            if (tag == CLASS && watching.concernsClass(reader.readUTF8(at, buffer))) {
                return true;
            }
            if (tag == FIELD || tag == METHOD || tag == INTERFACE_METHOD) {
                String owner = reader.readClass(at, buffer);
                int nameAndType = reader.getItem(reader.readUnsignedShort(at + 2));
                String name = reader.readUTF8(nameAndType, buffer);
                if (tag == FIELD ? watching.concerns(owner, name) : watching.concernsCall(owner, tag == INTERFACE_METHOD, name)) {
                    return true;
                }
            }
        }
        return false;
    }
}
