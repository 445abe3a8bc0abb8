package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.selection.ArrayMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * The accesses of a method that need no hook, because the method has allocated the array or object and it has not escaped; and where such
 * an array or object escapes, which counts as a write of all its elements or fields.
 *
 * <p>{@code analysis-core/src/filter/temporary.rs} is the specification: what it decides step by step is decided here for all paths at
 * once ({@link ReferenceFlow}). If that is not possible, all arrays of the allocating instruction have hooks: if one can escape that
 * cannot be distinguished from others or from one that has already escaped, and if one escapes that is long or of unknown length, because
 * the write of all elements would cost more than the hooks.
 *
 * <p>Whether no other thread can reach an object when its constructor has returned depends on classes that may not be loaded yet. So each
 * access to one keeps a hook, which finds that out once: see {@link Maker}.
 */
public final class Temporaries {
    /** For longer arrays, a write of all elements would cost more than the hooks. */
    static final int LONGEST = 32;

    /** For tests, which compare the findings with and without. */
    private static final boolean IS_ON = !"false".equals(System.getProperty("regiontrack.test.temporaries"));

    private final Set<AbstractInsnNode> accesses = new HashSet<>();
    private final Set<AbstractInsnNode> first = new HashSet<>();
    private final Map<AbstractInsnNode, List<Operand>> leavings = new HashMap<>();
    private final Map<AbstractInsnNode, Operand> lent = new HashMap<>();
    /** The calls that go to the method's copy. */
    private final Set<AbstractInsnNode> borrowing = new HashSet<>();
    /** By access: the parameter that it accesses, or -1 if it can access another array. */
    private final Map<AbstractInsnNode, Integer> ofParameters = new HashMap<>();

    /** By access to a field: what made the object. */
    private final Map<AbstractInsnNode, Maker> makers = new HashMap<>();

    /** A constructor of an instruction's objects: at run time its class tells whether it keeps them nowhere. */
    public static final class Maker {
        public final String owner;
        public final String desc;
        /** With more fields, a write of all of them would cost more than the hooks. */
        public final int mostFields;

        Maker(MethodInsnNode constructor, int mostFields) {
            // The call gets another descriptor if it goes to a copy.
            owner = constructor.owner;
            desc = constructor.desc;
            this.mostFields = mostFields;
        }
    }

    /** An array or object that an instruction takes from the stack. */
    public static final class Operand {
        /** Whether it is the uppermost operand; otherwise it is the one below, and the uppermost takes one word. */
        public final boolean isOnTop;
        /** The access to it that had no hook. */
        public final AbstractInsnNode place;
        /** If it is the last copy and is passed to a method that is examined at run time: the parameter; otherwise -1. */
        public final int parameter;
        /** For an object: its maker; null for an array. */
        public final Maker maker;

        Operand(boolean isOnTop, int parameter, AbstractInsnNode place, Maker maker) {
            this.maker = maker;
            this.isOnTop = isOnTop;
            this.parameter = parameter;
            this.place = place;
        }
    }

    /** Computes this for each method of a class, in order; must be called before any is changed. */
    public static Temporaries[] of(ClassNode type, ArrayMode mode, Accesses variables, Passing passing, Borrowers borrowers) {
        Temporaries[] result = new Temporaries[type.methods.size()];
        for (int i = 0; i < result.length; i++) {
            result[i] = new Temporaries();
            MethodNode method = type.methods.get(i);
            if (IS_ON && (passing.isLent(method) || !ReferenceFlow.makers(method, mode).isEmpty())) {
                result[i].find(type, method, new ReferenceFlow(method, mode, passing), new Lending(borrowers, null), variables);
            }
        }
        return result;
    }

    /** Returns no temporaries for any method. */
    public static Temporaries[] none(ClassNode type) {
        Temporaries[] result = new Temporaries[type.methods.size()];
        for (int i = 0; i < result.length; i++) {
            result[i] = new Temporaries();
        }
        return result;
    }

    /** The same for a method's copy; must be called before it is changed. */
    static Temporaries ofCopy(ClassNode type, Borrowers.Copy copy, ArrayMode mode, Accesses variables, Passing passing, Borrowers borrowers) {
        Temporaries result = new Temporaries();
        result.find(type, copy.method, new ReferenceFlow(copy.method, mode, passing), new Lending(borrowers, copy.lent), variables);
        return result;
    }

    private void find(ClassNode type, MethodNode method, ReferenceFlow flow, Lending lending, Accesses variables) {
        Found found = new Found(flow, new MethodShape(type.name, method), variables.of(method), lending);
        try {
            flow.run(type.name, found);
            found.settle();
        } catch (AnalyzerException e) {
            // The verifier will reject the code, or does not check it: with hooks everywhere nothing changes.
            ofParameters.clear();
            first.clear();
            borrowing.clear();
        }
    }

    /** Returns the accesses to elements that need no hook. */
    public Set<AbstractInsnNode> accesses() {
        return accesses;
    }

    /** Removes these from the accesses of a method; by a loop of its own, because the second compiler would take long for that of a set. */
    public void removeAccesses(Set<AbstractInsnNode> of) {
        if (!accesses.isEmpty()) {
            for (Iterator<AbstractInsnNode> i = of.iterator(); i.hasNext();) {
                if (accesses.contains(i.next())) {
                    i.remove();
                }
            }
        }
    }

    /** Returns those among them, and among the calls to which arrays are lent, before which the thread may have made no event in the method. */
    public Set<AbstractInsnNode> first() {
        return first;
    }

    /** Returns what made the object of an access, which needs no hook if that keeps its objects nowhere; null for other accesses. */
    public Maker maker(AbstractInsnNode insn) {
        return makers.get(insn);
    }

    /** Whether there are arrays or objects that escape. */
    public boolean leaveAny() {
        return !leavings.isEmpty();
    }

    /** Returns the arrays and objects that escape by an instruction. */
    public List<Operand> leaving(AbstractInsnNode insn) {
        return leavings.getOrDefault(insn, List.of());
    }

    /** Returns the array that is passed to a call and does not escape by it, or null. */
    public Operand lent(AbstractInsnNode insn) {
        return lent.get(insn);
    }

    /** Whether this is a call that lends arrays and goes to the method's copy. */
    public boolean isBorrowing(AbstractInsnNode insn) {
        return borrowing.contains(insn);
    }

    /** Returns the parameter, if all of these accesses are to the same one; otherwise -1. */
    public int onlyParameter(Set<AbstractInsnNode> hooked) {
        Set<Integer> parameters = new HashSet<>();
        for (AbstractInsnNode insn : hooked) {
            parameters.add(ofParameters.getOrDefault(insn, -1));
        }
        return parameters.size() == 1 ? parameters.iterator().next() : -1;
    }

    /** The copies of methods, and which parameters of the method itself are lent, if it is a copy; otherwise null. */
    private static final class Lending {
        final Borrowers borrowers;
        private final boolean[] lent;

        Lending(Borrowers borrowers, boolean[] lent) {
            this.borrowers = borrowers;
            this.lent = lent;
        }

        boolean isLent(int parameter) {
            return lent != null && parameter >= 0 && parameter < lent.length && lent[parameter];
        }
    }

    /** An operand of an instruction, until it is known whether accesses to it have hooks. */
    private static final class Passed {
        final AbstractInsnNode insn;
        final int source;
        final int above;
        /** The number of words of the uppermost operand. */
        final int size;
        /** Whether there is no other copy. */
        final boolean isLast;

        Passed(AbstractInsnNode insn, int source, int above, int size, boolean isLast) {
            this.size = size;
            this.insn = insn;
            this.source = source;
            this.above = above;
            this.isLast = isLast;
        }
    }

    /**
     * The results of the flow, until it is known which sources' accesses need no hook. The instrumenter uses no lambdas here and elsewhere, because
     * their first use would delay the start of each program.
     */
    private final class Found implements ReferenceFlow.Listener {
        private final ReferenceFlow flow;
        private final MethodShape shape;
        /** By source. */
        private final Map<Integer, List<AbstractInsnNode>> accessesOf = new HashMap<>();
        private final Set<Integer> hooked = new HashSet<>();
        private final Lending lending;
        /** By call: the arrays passed to it that do not escape by it. */
        private final Map<AbstractInsnNode, List<Passed>> loans = new LinkedHashMap<>();
        /** Calls that cannot fail for want of a receiver. */
        private final Set<AbstractInsnNode> own = new HashSet<>();
        private final List<Passed> departures = new ArrayList<>();
        private final Set<AbstractInsnNode> variables;
        private final Map<Integer, MethodInsnNode> constructors = new HashMap<>();
        private final Map<Integer, Maker> makersOf = new HashMap<>();
        private final Set<Integer> leaving = new HashSet<>();

        Found(ReferenceFlow flow, MethodShape shape, Set<AbstractInsnNode> variables, Lending lending) {
            this.flow = flow;
            this.shape = shape;
            this.variables = variables;
            this.lending = lending;
        }

        @Override
        public void access(AbstractInsnNode insn, int source, boolean isFirst) {
            if (flow.isObject(source) && !variables.contains(insn)) {
                return;
            }
            if (!accessesOf.containsKey(source)) {
                accessesOf.put(source, new ArrayList<>());
            }
            accessesOf.get(source).add(insn);
            if (isFirst) {
                first.add(insn);
            }
        }

        @Override
        public void lends(AbstractInsnNode insn, int source, int above, int size, boolean isFirst) {
            access(insn, source, isFirst);
            lend(new Passed(insn, source, above, size, false));
        }

        @Override
        public void callsOwn(AbstractInsnNode insn) {
            own.add(insn);
        }

        @Override
        public void passesOn(AbstractInsnNode insn, int parameter, int above, int size) {
            if (lending.isLent(parameter)) {
                lend(new Passed(insn, parameter, above, size, false));
            }
        }

        private void lend(Passed passed) {
            if (!loans.containsKey(passed.insn)) {
                loans.put(passed.insn, new ArrayList<>());
            }
            loans.get(passed.insn).add(passed);
        }

        @Override
        public void touches(AbstractInsnNode insn, int parameter, boolean isCertain) {
            ofParameters.put(insn, isCertain ? parameter : -1);
        }

        @Override
        public void leaves(AbstractInsnNode insn, int source, int above, int size, boolean isLast) {
            if (source < flow.parameters()) {
                return;
            }
            if (!isReachable(above, size) || !flow.isObject(source) && !isShort(flow.maker(source))) {
                hooked.add(source);
                return;
            }
            leaving.add(source);
            departures.add(new Passed(insn, source, above, size, isLast));
        }

        @Override
        public void leavesUnknown(int source) {
            hooked.add(source);
        }

        /** Nothing is known about a source whose objects have different constructors. */
        @Override
        public void constructs(MethodInsnNode call, int source) {
            MethodInsnNode other = constructors.putIfAbsent(source, call);
            if (other != null && !other.desc.equals(call.desc)) {
                hooked.add(source);
            }
        }

        void settle() {
            for (List<Passed> passed : loans.values()) {
                settle(passed);
            }
            accessesOf.keySet().removeAll(hooked);
            for (Map.Entry<Integer, List<AbstractInsnNode>> entry : accessesOf.entrySet()) {
                int source = entry.getKey();
                List<AbstractInsnNode> of = entry.getValue();
                if (flow.isObject(source)) {
                    Maker maker = new Maker(constructors.get(source), leaving.contains(source) ? of.size() : Integer.MAX_VALUE);
                    makersOf.put(source, maker);
                    for (AbstractInsnNode insn : of) {
                        makers.put(insn, maker);
                    }
                } else {
                    accesses.addAll(of);
                }
            }
            first.retainAll(accesses);
            for (Passed passed : departures) {
                leave(passed);
            }
            accesses.removeAll(loans.keySet());
            for (Map.Entry<AbstractInsnNode, Integer> entry : ofParameters.entrySet()) {
                if (lending.isLent(entry.getValue()) && !(entry.getKey() instanceof MethodInsnNode)) {
                    accesses.add(entry.getKey());
                }
            }
        }

        /**
         * Decides how a call that gets these arrays learns that they are lent. Without a copy of the method, one of them is stored in the thread's
         * state.
         */
        private void settle(List<Passed> all) {
            MethodInsnNode call = (MethodInsnNode) all.get(0).insn;
            boolean[] arguments = new boolean[Type.getArgumentTypes(call.desc).length];
            for (Passed passed : all) {
                arguments[arguments.length - 1 - passed.above] |= !hooked.contains(passed.source);
            }
            if (own.contains(call) && lending.borrowers.take(call, arguments)) {
                borrowing.add(call);
                return;
            }
            for (Passed passed : all) {
                if (!isReachable(passed.above, passed.size)) {
                    withdraw(call, passed.source);
                } else if (!hooked.contains(passed.source)) {
                    lent.put(call, new Operand(passed.above == 0, -1, call, null));
                }
            }
        }

        /** Restores the hooks of accesses in the call. */
        private void withdraw(AbstractInsnNode call, int source) {
            List<AbstractInsnNode> of = accessesOf.get(source);
            if (of != null && of.remove(call) && of.isEmpty()) {
                accessesOf.remove(source);
            }
        }

        private void leave(Passed passed) {
            List<AbstractInsnNode> of = accessesOf.get(passed.source);
            if (hooked.contains(passed.source) || of == null) {
                return;
            }
            int parameter = passed.isLast ? Passing.parameter(passed.insn, passed.above) : -1;
            if (!leavings.containsKey(passed.insn)) {
                leavings.put(passed.insn, new ArrayList<>());
            }
            leavings.get(passed.insn).add(new Operand(passed.above == 0, parameter, of.get(of.size() - 1), makersOf.get(passed.source)));
        }

        /** Whether the operand below {@code above} others can be copied without a local. */
        private boolean isReachable(int above, int size) {
            return above == 0 || above == 1 && size == 1;
        }

        /** Whether the instruction allocates arrays of a constant length of at most {@link #LONGEST}. */
        private boolean isShort(AbstractInsnNode maker) {
            AbstractInsnNode length = maker.getPrevious();
            while (length instanceof LineNumberNode || length instanceof LabelNode && !shape.isTarget((LabelNode) length)) {
                length = length.getPrevious();
            }
            if (length == null || maker.getOpcode() == Opcodes.MULTIANEWARRAY) {
                return false;
            }
            int op = length.getOpcode();
            return op >= Opcodes.ICONST_0 && op <= Opcodes.ICONST_5 || op == Opcodes.BIPUSH && ((IntInsnNode) length).operand <= LONGEST;
        }
    }
}
