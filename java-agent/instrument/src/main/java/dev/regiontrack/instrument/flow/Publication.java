package dev.regiontrack.instrument.flow;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.objectweb.asm.tree.MethodInsnNode;

/** A part of a method that makes something, which is invisible to others before a {@code compareAndSet} publishes it. */
final class Publication {
    /** Its instructions. */
    final BitSet between = new BitSet();
    /** Where it is published. */
    final List<Integer> sets = new ArrayList<>();
    /** Constructors and methods of the program, which must have no other effect. */
    final List<MethodInsnNode> asked = new ArrayList<>();
    /** Whether the method can also begin again before that. */
    boolean comesBack;
}
