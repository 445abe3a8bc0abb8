package dev.regiontrack.instrument.classes;

import dev.regiontrack.instrument.calls.Hierarchy;
import dev.regiontrack.instrument.calls.References;
import dev.regiontrack.instrument.selection.ReferenceBody;
import dev.regiontrack.instrument.code.Indices;
import dev.regiontrack.instrument.code.SiteList;
import dev.regiontrack.instrument.flow.Accesses;
import dev.regiontrack.instrument.flow.Borrowers;
import dev.regiontrack.instrument.flow.Constructors;
import dev.regiontrack.instrument.flow.Coverage;
import dev.regiontrack.instrument.flow.MethodShape;
import dev.regiontrack.instrument.flow.Passing;
import dev.regiontrack.instrument.flow.PureMethods;
import dev.regiontrack.instrument.flow.Silence;
import dev.regiontrack.instrument.flow.Temporaries;
import dev.regiontrack.instrument.frames.FrameDifferences;
import dev.regiontrack.instrument.profile.Guide;
import dev.regiontrack.instrument.profile.Watching;
import dev.regiontrack.instrument.selection.ArrayMode;
import dev.regiontrack.instrument.selection.MethodFilter;
import dev.regiontrack.instrument.selection.Origin;
import dev.regiontrack.runtime.bodies.Sampling;
import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.bridge.Transport;
import dev.regiontrack.runtime.bridge.Unseen;
import dev.regiontrack.runtime.sites.CallIndices;
import dev.regiontrack.runtime.sites.ClassInfo;
import dev.regiontrack.runtime.sites.SiteNumbers;
import dev.regiontrack.runtime.steering.Plan;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.JSRInlinerAdapter;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/** Instruments one class: the shadow field, its methods, its sites. A method that grows too large is left alone and reported. */
final class ClassInstrumenter {
    private static final String INITIALIZER = "<clinit>";
    /** An initialiser without room even for the hook that reports it. */
    private static final String UNMARKED = "";
    /** Such a reference needs an additional method. */
    private static final String LATE_REFERENCES = "references to methods that have a model, in classes that were loaded before the agent was attached";
    private static final String SHADOW_TYPE = "Ljava/lang/Object;";

    private final ClassLoader loader;
    private final MethodFilter filter;
    private final ArrayMode arrays;
    private final Transport report;
    private final Transformer transformer;
    private final Guide guide;
    private Watching watching = Watching.everything();
    private Origin origin = Origin.PROGRAM;
    /** Whether the class is already loaded, with the same hooks, and has been reported. */
    private boolean isLoaded;
    /** Whether it was loaded before the agent was attached, without hooks: no field or method can be added. */
    private boolean isLate;

    ClassInstrumenter(ClassLoader loader, MethodFilter filter, ArrayMode arrays, Transport report, Transformer transformer, Guide guide) {
        this.guide = guide;
        this.loader = loader;
        this.filter = filter;
        this.arrays = arrays;
        this.report = report;
        this.transformer = transformer;
    }

    /** Instruments the class again after another agent has changed it. */
    byte[] again(byte[] bytes) {
        isLoaded = true;
        String name = new ClassReader(bytes).getClassName();
        ClassInfo.redefine(loader, name.replace('/', '.'));
        watching = guide.again(name);
        return instrumented(bytes);
    }

    /** Instruments a class of the platform, which is loaded: no field or method can be added. */
    byte[] instrument(byte[] bytes, Origin from, boolean isKnown) {
        origin = from;
        isLoaded = isKnown;
        return instrumented(bytes);
    }

    /** Instruments a class of the program that was loaded before the agent was attached. */
    byte[] instrumentLate(byte[] bytes) {
        isLate = true;
        isLoaded = ClassInfo.isKnown(loader, new ClassReader(bytes).getClassName().replace('/', '.'));
        return instrumented(bytes);
    }

    /** Instruments a class of the program that is about to be loaded. Null if nothing in it has hooks: then the class stays as it is. */
    byte[] instrument(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        watching = guide.of(reader.getClassName(), bytes);
        return watching.mayHaveHooks(reader) ? instrumented(bytes) : null;
    }

    private byte[] instrumented(byte[] bytes) {
        Set<String> left = new HashSet<>();
        for (;;) {
            try {
                return instrument(bytes, left);
            } catch (MethodTooLargeException e) {
                leave(e, left);
            }
        }
    }

    /** Leaves a method without hooks next time; an initialiser gets one that reports this at run time, if there is room. */
    private void leave(MethodTooLargeException e, Set<String> left) {
        boolean isFirst = left.add(e.getMethodName() + e.getDescriptor());
        if (isFirst && Borrowers.isCopy(e.getDescriptor())) {
            return;
        }
        boolean isInitializer = e.getMethodName().equals(INITIALIZER);
        if (isFirst ? !isInitializer : isInitializer && left.add(UNMARKED)) {
            tell(NativeBridge.FAILED, 1, e.getClassName().replace('/', '.') + '.' + e.getMethodName() + e.getDescriptor()
                + ": with its hooks it would be larger than a method may be");
        } else if (!isFirst) {
            throw e;
        }
    }

    private byte[] instrument(byte[] bytes, Set<String> left) {
        ClassReader reader = new ClassReader(bytes);
        ClassNode type = new Inlined();
        reader.accept(type, ClassReader.EXPAND_FRAMES);
        Indices indices = Indices.of(reader, type);
        if (origin != Origin.PROGRAM) {
            return platform(type, reader, left, indices);
        }
        SiteList sites = new SiteList(type, indices);
        Map<String, String> added = isLate ? Map.of() : isLoaded ? ClassInfo.references(loader, type.name.replace('/', '.')) : null;
        References references = References.add(type, new Hierarchy(loader, type), added, indices);
        if (Plan.isForTests()) {
            Rewriting.see(type);
        }
        if (isLate) {
            return late(type, reader, left, sites, references);
        }
        return watching.isWhole() ? whole(type, reader, left, sites, references) : guided(type, reader, left, sites, references);
    }

    private byte[] whole(ClassNode type, ClassReader reader, Set<String> left, SiteList sites, References references) {
        String name = type.name.replace('/', '.');
        Passing passing = new Passing(type, arrays);
        Constructors constructors = Constructors.of(type, loader, arrays, passing);
        Set<String> constructed = isLoaded ? ClassInfo.constructed(loader, name) : constructors.fields();
        Accesses variables = new Accesses(type, arrays, constructed, watching);
        Borrowers borrowers = new Borrowers(type, passing, left, isLoaded ? ClassInfo.borrowers(loader, name) : null, transformer.hidesMethods());
        Temporaries[] temporaries = Temporaries.of(type, arrays, variables, passing, borrowers);
        Map<String, Integer> keepers = arrays == ArrayMode.NONE ? Map.of() : passing.keepers(borrowers);
        List<Borrowers.Copy> copies = borrowers.complete(arrays, variables);
        long[] pure = pure(type, variables, !watching.isInBursts() && !Sampling.isEverywhere() && !isLoaded && left.isEmpty());
        Set<String> names = instrumentMethods(type, left, sites, variables, temporaries, copies, Silence.of(type, variables));
        return finished(type, reader, sites, references, constructors, constructed, keepers, pure, names);
    }

    /**
     * Where few accesses have hooks, it is not worthwhile to look for those that need none, and to know more of the class. If none has, the class
     * stays as it is.
     */
    private byte[] guided(ClassNode type, ClassReader reader, Set<String> left, SiteList sites, References references) {
        Set<String> constructed = isLoaded ? ClassInfo.constructed(loader, type.name.replace('/', '.')) : Set.of();
        Accesses variables = new Accesses(type, arrays, constructed, watching);
        long[] pure = pure(type, variables, false);
        instrumentMethods(type, left, sites, variables, Temporaries.none(type), List.of(), Silence.of(type, variables));
        boolean isEmpty = !isLoaded && sites.size() == 0 && sites.steered() == 0 && !getsShadow(type);
        return isEmpty ? null : finished(type, reader, sites, references, Constructors.none(type, loader), constructed, Map.of(), pure, Set.of());
    }

    /** Adds nothing to the class. Its objects may be older than its hooks, so none is known to belong to a single thread. */
    private byte[] late(ClassNode type, ClassReader reader, Set<String> left, SiteList sites, References references) {
        Accesses variables = new Accesses(type, arrays, Set.of(), watching);
        long[] pure = pure(type, variables, false);
        instrumentMethods(type, left, sites, variables, Temporaries.none(type), List.of(), Silence.of(type, variables));
        return finished(type, reader, sites, references, Constructors.none(type, loader), Set.of(), Map.of(), pure, Set.of());
    }

    /** Returns what the methods do; {@code haveHooks} if each of their calls reaches the hooks that they get. */
    private long[] pure(ClassNode type, Accesses variables, boolean haveHooks) {
        if (Session.takesAllReads()) {
            return new long[0];
        }
        boolean isOfPlatform = loader == null || loader.getClass().getClassLoader() == null;
        PureMethods methods = new PureMethods(type, variables, isOfPlatform, haveHooks);
        long[] result = methods.all();
        variables.setQuestions(methods.questions());
        return result;
    }

    /** Returns the class's bytes, after its methods have got their hooks. */
    private byte[] finished(ClassNode type, ClassReader reader, SiteList sites, References references, Constructors constructors, Set<String> constructed,
        Map<String, Integer> keepers, long[] pure, Set<String> borrowers) {
        String name = type.name.replace('/', '.');
        boolean hasShadow = !isLate && (isLoaded ? ClassInfo.hasShadow(loader, name) : getsShadow(type));
        ClassInfo info = info(type, hasShadow, constructed, keepers, pure, constructors.keeping(), borrowers, references.names());
        int variables = variables(type, constructed);
        if (hasShadow) {
            int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_TRANSIENT | Opcodes.ACC_SYNTHETIC;
            type.fields.add(new FieldNode(access, ClassInfo.SHADOW, SHADOW_TYPE, null, null));
        }
        byte[] result = written(type, reader, sites, reserve(type, sites));
        if (isLoaded) {
            ClassInfo.redefine(loader, name, constructors.keeping(), constructors.writtenByMethods());
            return result;
        }
        ClassInfo.put(loader, name, info);
        if (references.left() > 0) {
            tell(NativeBridge.TOLERATED, references.left(), isLate ? LATE_REFERENCES : Unseen.SERIALIZED.words);
        }
        if (sites.left() > 0) {
            tell(NativeBridge.TOLERATED, sites.left(), Unseen.NO_ROOM.words);
        }
        tell(NativeBridge.INSTRUMENTED, sites.size(), name);
        watching.tell(type.superName, variables, sites.arrays(), sites.calls(), sites.monitors(), sites.blocks());
        return result;
    }

    private boolean getsShadow(ClassNode type) {
        return (type.access & (Opcodes.ACC_INTERFACE | Opcodes.ACC_MODULE)) == 0 && !transformer.isOurs(type.superName) && watching.needsShadow();
    }

    private static int variables(ClassNode type, Set<String> constructed) {
        int n = 0;
        for (FieldNode field : type.fields) {
            n += (field.access & (Opcodes.ACC_FINAL | Opcodes.ACC_SYNTHETIC)) == 0 && !constructed.contains(ClassInfo.field(field.name, field.desc)) ? 1 : 0;
        }
        return n;
    }

    /** Knows only the class's sites: it has no shadow field, no caller lends its methods arrays, and its objects are not thread-local. */
    private byte[] platform(ClassNode type, ClassReader reader, Set<String> left, Indices indices) {
        SiteList sites = new SiteList(type, indices);
        Accesses variables = new Accesses(type, arrays, Set.of(), watching);
        instrumentMethods(type, left, sites, variables, Temporaries.none(type), List.of(), Silence.of(type, variables));
        byte[] result = written(type, reader, sites, reserve(type, sites));
        tell(NativeBridge.INSTRUMENTED, sites.size(), type.name.replace('/', '.'));
        return result;
    }

    /** Whether this is a constructor that may make an unwatched object: the object cannot be asked before it has run. */
    private boolean isForAnySubclass(MethodNode method) {
        return origin == Origin.SUPERCLASS && method.name.equals("<init>");
    }

    private SiteNumbers reserve(ClassNode type, SiteList sites) {
        SiteNumbers numbers = SiteNumbers.reserve(sites.size(), sites.blocks(), type.name.replace('/', '.'), loader);
        if (numbers == null) {
            throw new IllegalStateException("no more than 16 million places can be observed");
        }
        return numbers;
    }

    /** Returns the class's bytes, once the sites have numbers; and registers the sites with the runtime. */
    private byte[] written(ClassNode type, ClassReader reader, SiteList sites, SiteNumbers numbers) {
        sites.number(numbers);
        ClassWriter writer = new Writer(reader);
        FrameDifferences.of(type);
        type.accept(writer);
        byte[] result = writer.toByteArray();
        if (Plan.isOn() && loader != null) {
            CallIndices.put(loader, type.name.replace('/', '.'), sites.indices().now(result, type));
        }
        sites.register(numbers);
        return result;
    }

    /** Also adds the copies of methods; returns the names of these methods. */
    private Set<String> instrumentMethods(ClassNode type, Set<String> left, SiteList sites, Accesses variables, Temporaries[] temporaries,
        List<Borrowers.Copy> copies, Silence silence) {
        boolean[] atomic = filter.atomic(type);
        if (Session.takesReaders()) {
            variables.lookAtMethods();
        }
        Hierarchy hierarchy = new Hierarchy(loader, type);
        Set<String> names = new HashSet<>();
        for (Borrowers.Copy copy : copies) {
            String name = copy.original.name + copy.original.desc;
            if (!left.contains(name) && !left.contains(copy.original.name + Borrowers.desc(copy.original.desc))) {
                boolean isAtomic = atomic[type.methods.indexOf(copy.original)];
                new MethodInstrumenter(type, origin, watching, copy.method, isAtomic, true, variables, copy.temporaries, silence, hierarchy, sites).instrument();
            }
            names.add(name);
        }
        for (int i = 0; i < type.methods.size(); i++) {
            MethodNode method = type.methods.get(i);
            if (method.instructions.size() == 0 || Coverage.isAdded(method)) {
                continue;
            }
            boolean isAtomic = atomic[i] && !(method instanceof ReferenceBody);
            if (!watching.isWhole() && !canCall(type, method) && !new HookedPlaces(watching, type, method, isAtomic, variables, hierarchy).areAny()) {
                continue;
            }
            boolean isLeft = !left.isEmpty() && left.contains(method.name + method.desc);
            if (isLeft && method.name.equals(INITIALIZER) && !left.contains(UNMARKED)) {
                InitializerExits.markUnseen(type, method);
            } else if (!isLeft && !isForAnySubclass(method)
                && !new MethodInstrumenter(type, origin, watching, method, isAtomic, false, variables, temporaries[i], silence, hierarchy, sites)
                    .besides(outsideBursts(type, method, isAtomic, variables, silence, hierarchy, sites)).instrument()) {
                tell(NativeBridge.FAILED, 1, type.name.replace('/', '.') + '.' + method.name + method.desc
                    + ": with its hooks it would be larger than what the JVM compiles");
            }
        }
        for (Borrowers.Copy copy : copies) {
            type.methods.add(copy.complete());
        }
        return names;
    }

    /** Whether the method is an initialiser that runs apart because what it calls can have hooks. */
    private static boolean canCall(ClassNode type, MethodNode method) {
        return method.name.equals(INITIALIZER) && Session.takesInitializersApart() && !new MethodShape(type.name, method).hasOnlyAccesses();
    }

    /** In a class of the slice: returns the method's body outside of bursts, with the hooks that the profile has kept. Otherwise null. */
    private MethodNode outsideBursts(ClassNode type, MethodNode method, boolean isAtomic, Accesses all, Silence silence, Hierarchy hierarchy, SiteList sites) {
        if (!watching.isInBursts()) {
            return null;
        }
        Watching kept = watching.outsideBursts();
        MethodNode body = TwoBodies.copy(method);
        Accesses variables = all.less(kept);
        if (new HookedPlaces(kept, type, body, isAtomic, variables, hierarchy).areAny()) {
            new MethodInstrumenter(type, origin, kept, body, isAtomic, false, variables, Temporaries.none(type)[0], silence, hierarchy, sites).instrument();
        }
        return body;
    }

    private void tell(int what, int number, String text) {
        if (!isLoaded) {
            report.describe(what, number, text);
        }
    }

    private static ClassInfo info(ClassNode type, boolean hasShadow, Set<String> constructed, Map<String, Integer> keepers, long[] pure, Map<String, String> constructors,
        Set<String> borrowers, Map<String, String> references) {
        int n = type.fields.size();
        String[] fields = new String[n];
        int[] access = new int[n];
        for (int i = 0; i < n; i++) {
            FieldNode field = type.fields.get(i);
            fields[i] = ClassInfo.field(field.name, field.desc);
            access[i] = field.access;
        }
        return new ClassInfo(type.superName, type.interfaces.toArray(new String[0]), fields, access, hasShadow, constructed, keepers, pure, constructors, borrowers, references);
    }

    /** Old class files have subroutines, to which no handlers can be added: each call gets a copy. */
    private static final class Inlined extends ClassNode {
        Inlined() {
            super(Opcodes.ASM9);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
            return (version & 0xffff) > Opcodes.V1_6 ? method : new JSRInlinerAdapter(Opcodes.ASM9, method, access, name, descriptor, signature, exceptions) { };
        }
    }

    /** Never computes frames, because that would need other classes. */
    private static final class Writer extends ClassWriter {
        Writer(ClassReader reader) {
            super(reader, COMPUTE_MAXS);
        }

        @Override
        protected String getCommonSuperClass(String one, String other) {
            throw new IllegalStateException("frames are not computed");
        }
    }
}
