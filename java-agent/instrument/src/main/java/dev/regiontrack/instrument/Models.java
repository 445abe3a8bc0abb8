package dev.regiontrack.instrument;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/** The calls of the platform that have an effect, in one table: class, method, effect. */
final class Models {
    /** The effect of a call. */
    enum Effect {
        /** Releases the receiver's monitor and takes it again. */
        WAIT,
        /** Returns a copy of the receiver, including the shadow field. */
        COPY,
        /** Starts the receiver's thread. */
        FORK,
        /** Returns after the end of the receiver's thread, if the thread has ended by then. */
        JOIN,
        /** The receiver's thread is about to end. */
        END,
        /** Empties the store buffer, whatever the call returns. */
        FENCE
    }

    /** Where the hook is placed. */
    enum Place {
        /** Around the call, in the program's classes. */
        CALLER,
        /** Before the call, in the class itself, so that the caller need not be instrumented. */
        CALL_INSIDE,
        /** At the entry of the method itself. */
        ENTRY,
        /** At each return of the method itself. */
        RETURN
    }

    /** A row of the table. */
    static final class Entry {
        /** Internal names of the classes that declare the method. */
        private final Set<String> owners;
        /** Name and descriptor of the method; a {@code *} at either end matches anything. */
        private final String method;
        /** For a call inside: the calling method; empty for any. */
        final String within;
        final Place place;
        final Effect effect;

        Entry(String owner, String method, String within, Place place, Effect effect) {
            this(Set.of(owner), method, within, place, effect);
        }

        /** A fence, in every overload. */
        Entry(Set<String> owners, String name) {
            this(owners, name + "(*", "", Place.CALLER, Effect.FENCE);
        }

        private Entry(Set<String> owners, String method, String within, Place place, Effect effect) {
            this.owners = owners;
            this.method = method;
            this.within = within;
            this.place = place;
            this.effect = effect;
        }

        boolean isOf(String owner) {
            return owners.contains(owner);
        }

        boolean matches(String name, String desc) {
            String found = name + desc;
            boolean isOpen = method.startsWith("*");
            if (!method.endsWith("*")) {
                return isOpen ? found.endsWith(method.substring(1)) : found.equals(method);
            }
            String middle = method.substring(isOpen ? 1 : 0, method.length() - 1);
            return isOpen ? found.contains(middle) : found.startsWith(middle);
        }
    }

    private static final String ANY = "java/lang/Object";
    private static final String THREAD = "java/lang/Thread";
    private static final String VIRTUAL = "java/lang/VirtualThread";

    private static final String ATOMIC = "java/util/concurrent/atomic/";
    /** Not those with a mark or a stamp, which write only what is new. */
    private static final Set<String> ATOMICS = Set.of(ATOMIC + "AtomicBoolean", ATOMIC + "AtomicInteger", ATOMIC + "AtomicLong", ATOMIC + "AtomicReference",
        ATOMIC + "AtomicIntegerArray", ATOMIC + "AtomicLongArray", ATOMIC + "AtomicReferenceArray", ATOMIC + "AtomicIntegerFieldUpdater",
        ATOMIC + "AtomicLongFieldUpdater", ATOMIC + "AtomicReferenceFieldUpdater");
    private static final Set<String> HANDLE = Set.of("java/lang/invoke/VarHandle");
    private static final Set<String> UNSAFE = Set.of("sun/misc/Unsafe");
    private static final Set<String> ATOMICS_AND_HANDLE = union(ATOMICS, HANDLE);
    private static final Set<String> HANDLE_AND_UNSAFE = union(HANDLE, UNSAFE);

    private static final Entry[] TABLE = {
        new Entry(ANY, "wait()V", "", Place.CALLER, Effect.WAIT),
        new Entry(ANY, "wait(J)V", "", Place.CALLER, Effect.WAIT),
        new Entry(ANY, "wait(JI)V", "", Place.CALLER, Effect.WAIT),
        new Entry(ANY, "clone()L*", "", Place.CALLER, Effect.COPY),
        // Only the call of the native start proves that the thread is new.
        new Entry(THREAD, "start0()V", "", Place.CALL_INSIDE, Effect.FORK),
        // The other joins call these.
        new Entry(THREAD, "join(J)V", "", Place.RETURN, Effect.JOIN),
        new Entry(THREAD, "join(Ljava/time/Duration;)Z", "", Place.RETURN, Effect.JOIN),
        new Entry(THREAD, "exit()V", "", Place.ENTRY, Effect.END),
        new Entry(VIRTUAL, "*ubmitRunContinuation*", "start", Place.CALL_INSIDE, Effect.FORK),
        new Entry(VIRTUAL, "afterDone(Z)V", "", Place.ENTRY, Effect.END),
        // With the semantics of volatile accesses; those of weaker ones promise no fence.
        new Entry(ATOMICS, "set"), new Entry(HANDLE, "setVolatile"), new Entry(HANDLE_AND_UNSAFE, "fullFence"),
        new Entry(ATOMICS_AND_HANDLE, "compareAndSet"), new Entry(ATOMICS_AND_HANDLE, "compareAndExchange"),
        new Entry(ATOMICS, "weakCompareAndSetVolatile"), new Entry(HANDLE, "weakCompareAndSet"),
        new Entry(ATOMICS_AND_HANDLE, "getAndSet"), new Entry(ATOMICS_AND_HANDLE, "getAndAdd"), new Entry(HANDLE, "getAndBitwiseOr"),
        new Entry(HANDLE, "getAndBitwiseAnd"), new Entry(HANDLE, "getAndBitwiseXor"), new Entry(ATOMICS, "addAndGet"),
        new Entry(ATOMICS, "getAndIncrement"), new Entry(ATOMICS, "getAndDecrement"), new Entry(ATOMICS, "incrementAndGet"),
        new Entry(ATOMICS, "decrementAndGet"), new Entry(ATOMICS, "getAndUpdate"), new Entry(ATOMICS, "updateAndGet"),
        new Entry(ATOMICS, "getAndAccumulate"), new Entry(ATOMICS, "accumulateAndGet"),
        new Entry(UNSAFE, "compareAndSwapInt"), new Entry(UNSAFE, "compareAndSwapLong"), new Entry(UNSAFE, "compareAndSwapObject"),
        new Entry(UNSAFE, "getAndSetInt"), new Entry(UNSAFE, "getAndSetLong"), new Entry(UNSAFE, "getAndSetObject"),
        new Entry(UNSAFE, "getAndAddInt"), new Entry(UNSAFE, "getAndAddLong"), new Entry(UNSAFE, "putBooleanVolatile"),
        new Entry(UNSAFE, "putByteVolatile"), new Entry(UNSAFE, "putShortVolatile"), new Entry(UNSAFE, "putCharVolatile"),
        new Entry(UNSAFE, "putIntVolatile"), new Entry(UNSAFE, "putLongVolatile"), new Entry(UNSAFE, "putFloatVolatile"),
        new Entry(UNSAFE, "putDoubleVolatile"), new Entry(UNSAFE, "putObjectVolatile"),
    };

    /** The rows for callers, by the method's name, which has no wildcard in them. */
    private static final Map<String, List<Entry>> CALLS = new HashMap<>();

    static {
        for (Entry entry : TABLE) {
            if (entry.place == Place.CALLER) {
                String name = entry.method.substring(0, entry.method.indexOf('('));
                if (!CALLS.containsKey(name)) {
                    CALLS.put(name, new ArrayList<>());
                }
                CALLS.get(name).add(entry);
            }
        }
    }

    private Models() {
    }

    private static Set<String> union(Set<String> some, Set<String> others) {
        Set<String> all = new HashSet<>(some);
        all.addAll(others);
        return all;
    }

    /** The effect of a call in the program's code; null if none. */
    static Effect of(MethodInsnNode call) {
        List<Entry> entries = CALLS.get(call.name);
        if (entries == null || call.owner.startsWith("[")) {
            return null;
        }
        for (Entry entry : entries) {
            // Every class has the methods of Object, none of which are static.
            boolean isOfAll = entry.isOf(ANY) && call.getOpcode() != Opcodes.INVOKESTATIC;
            if ((isOfAll || entry.isOf(call.owner)) && entry.matches(call.name, call.desc)) {
                return entry.effect;
            }
        }
        return null;
    }

    /** The rows whose hooks go into the class itself. */
    static List<Entry> inside(String owner) {
        List<Entry> result = new ArrayList<>();
        for (Entry entry : TABLE) {
            if (entry.place != Place.CALLER && entry.isOf(owner)) {
                result.add(entry);
            }
        }
        return result;
    }
}
