package modelled;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Calls of a library, each with an object to call and with a call by another thread that conflicts with it. What they do is known from their models alone.
 */
public class Calls {
    /** A call; {@code time} is 0 when it is made first, and then 1. */
    public interface Call<T> {
        Object on(T object, int time) throws Exception;
    }

    /** One call, and the other. */
    public static final class Case<T> {
        private final Supplier<T> make;
        private final Call<T> call;
        private final Call<T> other;
        private T object;

        Case(Supplier<T> make, Call<T> call, Call<T> other) {
            this.make = make;
            this.call = call;
            this.other = other;
        }

        /** Makes the object. */
        public void begin() {
            object = make.get();
        }

        /** Calls it, for the first or the second time. */
        public Object call(int time) {
            return done(call, time);
        }

        /** What the other thread does. */
        public void other() {
            done(other, 0);
        }

        private Object done(Call<T> what, int time) {
            try {
                return what.on(object, time);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Those of all classes. One is compiled apart, so that it is found by its name. */
    public static Calls everything() throws ReflectiveOperationException {
        Calls all = new Calls();
        for (Calls some : new Calls[] {new CollectionCalls(), new IterationCalls(), new QueueCalls(), new WholeCalls(), new PassedCalls(), new AtomicCalls(), new BufferCalls(),
            (Calls) Class.forName("modelled.UnsafeCalls").getConstructor().newInstance()}) {
            all.reads.addAll(some.reads);
            all.writes.addAll(some.writes);
        }
        return all;
    }

    private final List<Case<?>> reads = new ArrayList<>();
    private final List<Case<?>> writes = new ArrayList<>();

    /** Calls that read; the other thread writes. */
    public List<Case<?>> reads() {
        return reads;
    }

    /** Calls that write; the other thread reads. */
    public List<Case<?>> writes() {
        return writes;
    }

    /** All of them. */
    public List<Case<?>> all() {
        List<Case<?>> all = new ArrayList<>(reads);
        all.addAll(writes);
        return all;
    }

    /** Calls of one class that read. */
    @SafeVarargs
    protected final <T> void reads(Supplier<T> make, Call<T> write, Call<T>... calls) {
        for (Call<T> call : calls) {
            reads.add(new Case<>(make, call, write));
        }
    }

    /** Calls of one class that write. */
    @SafeVarargs
    protected final <T> void writes(Supplier<T> make, Call<T> read, Call<T>... calls) {
        for (Call<T> call : calls) {
            writes.add(new Case<>(make, call, read));
        }
    }
}
