package dev.regiontrack.instrument.selection;

import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Transport;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Tracks which classes in the user's table of models have been loaded, and which of the named methods these have or inherit. The bridge is informed,
 * so that it can report at the end which entries matched nothing.
 */
public final class OwnModels {
    /** Lines that begin with these name no class. */
    private static final Set<String> OTHERS = Set.of("group", "arguments", "passing");

    private final Transport report;
    private final Set<String> classes = new HashSet<>();
    /** The names of the methods, of all classes. */
    private final Set<String> methods = new HashSet<>();
    /** The classes that were loaded before the agent, by name. */
    private final Map<String, Class<?>> before = new HashMap<>();
    /** The other classes. */
    private final Map<String, Seen> seen = new HashMap<>();
    /** The classes in {@link #before} that are still to be inspected, each after the class of the table that it is or is above. */
    private final ArrayDeque<String[]> unknown = new ArrayDeque<>();
    /** By class: the classes of the table that it is or is above. */
    private final Map<String, Set<String>> below = new HashMap<>();

    /** What a class extends, and which of those methods it declares. */
    private static final class Seen {
        final Set<String> above = new HashSet<>();
        final Set<String> methods = new HashSet<>();
    }

    /** {@code table} has the form that {@code ModelTable} reads. */
    public OwnModels(String table, Class<?>[] loaded, Transport report) {
        this.report = report;
        boolean isOfClass = false;
        for (String line : table.split("\n")) {
            String[] words = line.split(" ");
            boolean isClass = words[0].equals("class");
            isOfClass = isClass || isOfClass && !OTHERS.contains(words[0]);
            for (int i = 1; isOfClass && i < words.length; i++) {
                int slash = words[i].indexOf('/');
                (isClass ? classes : methods).add(slash < 0 ? words[i] : words[i].substring(0, slash));
            }
        }
        for (Class<?> c : classes.isEmpty() ? new Class<?>[0] : loaded) {
            before.put(c.getName(), c);
        }
        for (String name : classes) {
            if (before.containsKey(name)) {
                tell(name, name);
            }
        }
        lookUp();
    }

    /** Notes a class that is being loaded. */
    public void see(byte[] file) {
        if (!classes.isEmpty()) {
            note(file);
            lookUp();
        }
    }

    private synchronized void note(byte[] file) {
        ClassReader reader = new ClassReader(file);
        String name = reader.getClassName().replace('/', '.');
        Seen s = seen.get(name);
        if (s == null) {
            s = new Seen();
            seen.put(name, s);
        }
        // Several loaders can have a class of the same name: what one of them has exists.
        if (reader.getSuperName() != null) {
            s.above.add(reader.getSuperName().replace('/', '.'));
        }
        for (String above : reader.getInterfaces()) {
            s.above.add(above.replace('/', '.'));
        }
        Set<String> found = s.methods;
        reader.accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String method, String desc, String signature, String[] exceptions) {
                if (methods.contains(method)) {
                    found.add(method + '/' + Type.getArgumentTypes(desc).length);
                }
                return null;
            }
        }, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        Set<String> owners = below.remove(name);
        if (classes.contains(name)) {
            owners = owners == null ? new HashSet<>() : owners;
            owners.add(name);
        }
        for (String owner : owners == null ? Set.<String>of() : owners) {
            tell(owner, name);
        }
    }

    /** Reports what the class {@code name} has, which {@code owner}, a class of the table, is or extends. */
    private void tell(String owner, String name) {
        Set<String> owners = below.get(name);
        if (owners == null) {
            owners = new HashSet<>();
            below.put(name, owners);
        }
        if (!owners.add(owner)) {
            return;
        }
        if (owner.equals(name)) {
            report.describe(NativeBridge.MODELLED, 0, owner);
        }
        Seen s = seen.get(name);
        if (s == null && before.containsKey(name)) {
            unknown.add(new String[] {owner, name});
        } else {
            tell(owner, s);
        }
    }

    private void tell(String owner, Seen s) {
        for (String method : s == null ? Set.<String>of() : s.methods) {
            report.describe(NativeBridge.MODELLED, 0, owner + ' ' + method);
        }
        for (String above : s == null ? Set.<String>of() : s.above) {
            tell(owner, above);
        }
    }

    /**
     * Inspects classes that were loaded before. That can load others, by class loaders of the program, which can wait for a thread that is itself
     * loading a class: so it holds no lock.
     */
    private void lookUp() {
        for (String[] next = next(); next != null; next = next()) {
            found(next[0], next[1], reflected(before.get(next[1])));
        }
    }

    private synchronized String[] next() {
        return unknown.poll();
    }

    private synchronized void found(String owner, String name, Seen s) {
        seen.putIfAbsent(name, s);
        tell(owner, seen.get(name));
    }

    private Seen reflected(Class<?> c) {
        Seen s = new Seen();
        if (c.getSuperclass() != null) {
            s.above.add(c.getSuperclass().getName());
        }
        for (Class<?> above : c.getInterfaces()) {
            s.above.add(above.getName());
        }
        for (java.lang.reflect.Method method : c.getDeclaredMethods()) {
            if (methods.contains(method.getName())) {
                s.methods.add(method.getName() + '/' + method.getParameterCount());
            }
        }
        return s;
    }
}
