package dev.regiontrack.instrument.selection;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodNode;

/** An added method that makes the call of a method reference; its sites are in the method that contains the reference. */
public final class ReferenceBody extends MethodNode {
    /** The method that contains the reference. */
    public final String within;
    public final String withinDesc;
    /** The line of the reference, or its index if the method there has no lines. */
    public final int line;

    public ReferenceBody(String name, String desc, String within, int line) {
        super(Opcodes.ASM9, Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC, name, desc, null, null);
        int at = within.indexOf('(');
        this.within = within.substring(0, at);
        withinDesc = within.substring(at);
        this.line = line;
    }
}
