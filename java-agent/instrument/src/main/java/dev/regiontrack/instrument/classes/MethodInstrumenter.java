package dev.regiontrack.instrument.classes;

import dev.regiontrack.instrument.accesses.ElementAccesses;
import dev.regiontrack.instrument.accesses.FieldAccesses;
import dev.regiontrack.instrument.accesses.Monitors;
import dev.regiontrack.instrument.accesses.SteeredAccesses;
import dev.regiontrack.instrument.calls.Calls;
import dev.regiontrack.instrument.calls.Hierarchy;
import dev.regiontrack.instrument.calls.HandoverCalls;
import dev.regiontrack.instrument.calls.LibraryCalls;
import dev.regiontrack.instrument.calls.QuestionHooks;
import dev.regiontrack.instrument.calls.SteeredCalls;
import dev.regiontrack.instrument.calls.TemporaryHooks;
import dev.regiontrack.instrument.code.Concern;
import dev.regiontrack.instrument.code.MethodCode;
import dev.regiontrack.instrument.code.SiteList;
import dev.regiontrack.instrument.code.SteeredPlaces;
import dev.regiontrack.instrument.code.Steps;
import dev.regiontrack.instrument.flow.Accesses;
import dev.regiontrack.instrument.flow.Attempt;
import dev.regiontrack.instrument.flow.Attempts;
import dev.regiontrack.instrument.flow.Fills;
import dev.regiontrack.instrument.flow.MethodShape;
import dev.regiontrack.instrument.flow.OwnObjects;
import dev.regiontrack.instrument.flow.Round;
import dev.regiontrack.instrument.flow.Sections;
import dev.regiontrack.instrument.flow.Silence;
import dev.regiontrack.instrument.flow.Temporaries;
import dev.regiontrack.instrument.frames.Frames;
import dev.regiontrack.instrument.frames.NewLabels;
import dev.regiontrack.instrument.profile.Watching;
import dev.regiontrack.instrument.selection.Origin;
import dev.regiontrack.runtime.bodies.Sampling;
import dev.regiontrack.runtime.bridge.Session;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Adds the hooks to one method: decides which accesses get one, and lets each {@link Concern} add its own. All of the program's
 * instructions stay, in order; some calls are redirected to a method's copy ({@link dev.regiontrack.instrument.flow.Borrowers}).
 */
final class MethodInstrumenter {
    private final MethodCode code;
    private final boolean isAtomic;
    private final boolean isCopy;
    private final Accesses variables;
    private final Set<AbstractInsnNode> accesses;
    private final Temporaries temporaries;
    private final Silence silence;
    private final Hierarchy hierarchy;
    private MethodNode first;

    /** {@code isCopy} if the method is a copy for calls that lend it arrays ({@link dev.regiontrack.instrument.flow.Borrowers}). */
    MethodInstrumenter(ClassNode type, Origin origin, Watching watching, MethodNode method, boolean isAtomic, boolean isCopy, Accesses variables, Temporaries temporaries, Silence silence,
        Hierarchy hierarchy, SiteList sites) {
        this.variables = variables;
        accesses = variables.of(method);
        temporaries.removeAccesses(accesses);
        code = new MethodCode(type, origin, watching, method, sites, accesses.size(), isCopy);
        this.isAtomic = isAtomic;
        this.isCopy = isCopy;
        this.temporaries = temporaries;
        this.silence = silence;
        this.hierarchy = hierarchy;
    }

    /** Whether the method is called only by callers that were already chosen to be watched, or everything is watched. */
    private boolean isAlwaysWatched() {
        return !Sampling.isEverywhere() && !code.watching.isInBursts() && code.origin == Origin.PROGRAM || isCopy;
    }

    /** Gives the method a second body, which runs where it is not watched. */
    MethodInstrumenter besides(MethodNode body) {
        first = body;
        return this;
    }

    /** Returns false if the method of a class of the platform has no room for hooks. */
    boolean instrument() {
        TwoBodies bodies = isAlwaysWatched() ? null : new TwoBodies(code, first != null ? first : TwoBodies.copy(code.method));
        int block = addHooks(bodies);
        return bodies == null || bodies.join(block) || code.origin == Origin.PROGRAM;
    }

    /** Returns the method's site if it is a block, otherwise -1. */
    private int addHooks(TwoBodies bodies) {
        NewLabels news = new NewLabels(code.method);
        // Needs no frames if there are none.
        Fills fills = canLeaveOut() ? Fills.of(code.type, code.method, accesses) : Fills.none();
        Set<AbstractInsnNode> own = code.origin == Origin.PROGRAM ? OwnObjects.calls(code.type.name, code.method) : Set.of();
        Sections sections = sections(own);
        List<Round> rounds = new ArrayList<>();
        List<Attempt> attempts = attempts(rounds);
        if (!attempts.isEmpty() || !rounds.isEmpty()) {
            code.placeAll();
        }
        Rehearsals rehearsals = new Rehearsals(code, attempts);
        RoundHooks tentative = new RoundHooks(code, rounds);
        rehearsals.lead(tentative::onTheWay);
        tentative.lead(rehearsals);
        MethodShape shape = new MethodShape(code.type.name, code.method);
        boolean isBlock = isAtomic && code.watching.watchesBlock(code.method) && shape.canBeBlock() && shape.canMakeTwoEvents(accesses, silence);
        int parameter = shape.hasOnlyAccesses() ? temporaries.onlyParameter(accesses) : -1;
        boolean hasBegun = (isBlock || code.isSynchronized()) && !code.isConstructor();
        SteeredPlaces steered = new SteeredPlaces(code);
        Concern[] concerns = {
            tentative, new QuestionHooks(code, variables.questions()), new SteeredAccesses(code, shape, news, temporaries, steered), new SteeredCalls(code, steered),
            new Monitors(code, shape, news, sections), new TemporaryHooks(code, temporaries, steered, hasBegun), new FieldAccesses(code, shape, accesses, temporaries, fills),
            new ElementAccesses(code, accesses), new Calls(code), new LibraryCalls(code, hierarchy, isBlock, hasBegun, own, sections, variables), new HandoverCalls(code),
        };
        List<AbstractInsnNode> program = program(concerns);
        Frames frames = new Frames(code.type.name, code.method, needed(concerns, program));
        Steps steps = new Steps(code);
        for (AbstractInsnNode insn : program) {
            steps.begin(insn);
            FrameNode frame = frames.before(insn);
            for (Concern concern : concerns) {
                concern.visit(insn, frame);
            }
            steps.end();
        }
        rehearsals.add();
        tentative.add();
        int block = -1;
        if (isBlock || code.isSynchronized()) {
            Brackets brackets = new Brackets(code, shape, sections, isBlock, parameter);
            brackets.put();
            block = brackets.site();
        } else if (Sampling.isEverywhere() && bodies != null || code.watching.isPartOfRun()) {
            Brackets.guard(code, shape.superCall());
        }
        if (canStepAside(shape)) {
            InitializerExits.stepAside(code);
        }
        code.finish();
        return block;
    }

    /**
     * Returns the attempts at which a read may turn out to have no consequence. In the platform's classes, in methods that are too large, and in
     * class files without frames, all reads are events. {@code rounds} gets the rounds whose reads are tentative: only the dependencies of a read can
     * wait until it turns out to be an event, and each {@code compareAndSet} must have a hook.
     */
    private List<Attempt> attempts(List<Round> rounds) {
        boolean takesRounds = Session.takesDependencies() && code.watching.isWhole();
        return canLeaveOut() && code.needsFrames() ? Attempts.of(code.type, code.method, accesses, variables, code.free(), takesRounds ? rounds : null) : List.of();
    }

    /** Whether this is a class initialiser, or a class loader's method that loads a class, that can make events. */
    private boolean canStepAside(MethodShape shape) {
        return (code.isInitializer() || InitializerExits.loadsClasses(code.method)) && code.origin == Origin.PROGRAM && Session.takesInitializersApart() && !Sampling.isEverywhere() && (!accesses.isEmpty() || !shape.hasOnlyAccesses());
    }

    private boolean canLeaveOut() {
        return code.origin == Origin.PROGRAM && !isCopy && !code.isTooLarge() && !Session.takesAllReads();
    }

    /** Returns the critical sections that may write nothing; with {@code reads=all} all sections are alike. */
    private Sections sections(Set<AbstractInsnNode> own) {
        if (code.origin != Origin.PROGRAM || code.isTooLarge() || !Session.takesReaders()) {
            return Sections.none();
        }
        return Sections.of(code.type, code.method, variables, own, temporaries.accesses());
    }

    /** Returns the instructions of the class file to which the concerns can apply, without labels, lines and frames. */
    private List<AbstractInsnNode> program(Concern[] concerns) {
        boolean areAll = false;
        for (Concern concern : concerns) {
            areAll |= concern.concernsOthers();
        }
        List<AbstractInsnNode> result = new ArrayList<>();
        for (AbstractInsnNode insn = code.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            if (insn.getOpcode() >= 0 && (areAll || MethodCode.isPlace(insn))) {
                result.add(insn);
            }
        }
        return result;
    }

    private static Set<AbstractInsnNode> needed(Concern[] concerns, List<AbstractInsnNode> program) {
        Set<AbstractInsnNode> result = new HashSet<>();
        for (AbstractInsnNode insn : program) {
            for (int i = 0; MethodCode.isPlace(insn) && i < concerns.length; i++) {
                if (concerns[i].needsFrame(insn)) {
                    result.add(insn);
                }
            }
        }
        return result;
    }
}
