package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.frames.NewLabels;
import dev.regiontrack.instrument.profile.Watching;
import dev.regiontrack.instrument.selection.ArrayMode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.SimpleRemapper;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** Reads classes that have a method for each shape of code. */
final class Shaped {
    private Shaped() {
    }

    /** Returns the attempts of each method. */
    static Map<String, List<Attempt>> attempts(Class<?> shapes) throws IOException {
        return attempts(shapes, shapes.getName().replace('.', '/'));
    }

    /** The same if the class had this internal name. */
    static Map<String, List<Attempt>> attempts(Class<?> shapes, String name) throws IOException {
        ClassNode type = new ClassNode();
        ClassVisitor renamed = new ClassRemapper(type, new SimpleRemapper(Opcodes.ASM9, shapes.getName().replace('.', '/'), name));
        new ClassReader(shapes.getName()).accept(renamed, ClassReader.EXPAND_FRAMES);
        Accesses accesses = new Accesses(type, ArrayMode.REFS, Set.of(), Watching.everything());
        Map<String, List<Attempt>> result = new TreeMap<>();
        for (MethodNode method : type.methods) {
            new NewLabels(method);
            result.put(method.name, Attempts.of(type, method, accesses.of(method), accesses, method.maxLocals + 1, null));
        }
        return result;
    }
}
