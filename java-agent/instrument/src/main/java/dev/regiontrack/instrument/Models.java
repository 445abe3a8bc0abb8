package dev.regiontrack.instrument;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
        END
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
        /** Internal name of the class that declares the method. */
        final String owner;
        /** Name and descriptor of the method; a {@code *} at either end matches anything. */
        private final String method;
        /** For a call inside: the calling method; empty for any. */
        final String within;
        final Place place;
        final Effect effect;

        Entry(String owner, String method, String within, Place place, Effect effect) {
            this.owner = owner;
            this.method = method;
            this.within = within;
            this.place = place;
            this.effect = effect;
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

    /** The effect of a call in the program's code; null if none. */
    static Effect of(MethodInsnNode call) {
        List<Entry> entries = CALLS.get(call.name);
        if (entries == null || call.getOpcode() == Opcodes.INVOKESTATIC || call.owner.startsWith("[")) {
            return null;
        }
        for (Entry entry : entries) {
            // Every class has the methods of Object.
            if ((entry.owner.equals(ANY) || entry.owner.equals(call.owner)) && entry.matches(call.name, call.desc)) {
                return entry.effect;
            }
        }
        return null;
    }

    /** The rows whose hooks go into the class itself. */
    static List<Entry> inside(String owner) {
        List<Entry> result = new ArrayList<>();
        for (Entry entry : TABLE) {
            if (entry.place != Place.CALLER && entry.owner.equals(owner)) {
                result.add(entry);
            }
        }
        return result;
    }
}
