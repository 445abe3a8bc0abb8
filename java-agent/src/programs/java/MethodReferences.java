import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/** References to methods that have a model: prints the same with and without the agent. */
public class MethodReferences {
    interface Sized {
        Map<String, String> names();

        default IntSupplier size() {
            return names()::size;
        }

        static ToIntFunction<Collection<?>> sizeOf() {
            return Collection::size;
        }
    }

    interface Stored<T, R> extends Function<T, R>, Serializable {
    }

    /** Another receiver than the class that declares the methods. */
    static class Names extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Supplier<Object[]> own() {
            return this::toArray;
        }

        Function<String, Boolean> above() {
            return super::add;
        }
    }

    static class NamedLock extends ReentrantLock {
        private static final long serialVersionUID = 1;
    }

    private static void adapted() {
        Map<String, Integer> map = new ConcurrentHashMap<>();
        ConcurrentHashMap<String, Integer> same = (ConcurrentHashMap<String, Integer>) map;
        BiFunction<String, Integer, Object> put = map::put;
        BiFunction<String, Integer, Integer> putIfAbsent = same::putIfAbsent;
        Function<Map<String, Integer>, Integer> size = Map::size;
        ToLongFunction<Map<String, Integer>> wide = Map::size;
        System.out.println(put.apply("a", 1) + " " + putIfAbsent.apply("a", 2) + " " + size.apply(map) + " " + wide.applyAsLong(map));
        HashSet<String> set = new HashSet<>(List.of("a"));
        Function<Collection<String>, Boolean> containsAll = set::containsAll;
        Names names = new Names();
        Consumer<String> add = names::add;
        Function<String, Boolean> really = names::add;
        IntFunction<String> get = names::get;
        add.accept("b");
        System.out.println(containsAll.apply(List.of("a")) + " " + really.apply("c") + " " + get.apply(0) + " " + names.own().get().length);
        System.out.println(names.above().apply("d") + " " + names);
        AtomicInteger n = new AtomicInteger();
        AtomicLong m = new AtomicLong();
        Supplier<Integer> boxed = n::incrementAndGet;
        Function<Integer, Long> added = m::addAndGet;
        UnaryOperator<Integer> set2 = n::getAndSet;
        System.out.println(boxed.get() + " " + added.apply(5) + " " + set2.apply(7) + " " + n.get());
        NamedLock lock = new NamedLock();
        Lock anyLock = lock;
        List<Runnable> turns = List.of(lock::lock, anyLock::unlock, anyLock::lock, lock::unlock);
        turns.forEach(Runnable::run);
        System.out.println(lock.isLocked());
        Sized sized = () -> Map.of("x", "y");
        System.out.println(sized.size().getAsInt() + " " + Sized.sizeOf().applyAsInt(names));
        Object monitor = new Object();
        Runnable wakeUp = monitor::notify;
        synchronized (monitor) {
            wakeUp.run();
        }
    }

    private static void shown(String what, Runnable run) {
        try {
            run.run();
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e.getMessage());
            for (StackTraceElement frame : e.getStackTrace()) {
                if (frame.getClassName().startsWith("MethodReferences") || frame.getClassName().startsWith("java.util.concurrent")) {
                    System.out.println("  " + frame.getMethodName() + ' ' + (frame.getClassName().startsWith("Method") ? frame.getLineNumber() : 0));
                }
            }
        }
    }

    private static void exceptions() {
        Map<String, Integer> map = new ConcurrentHashMap<>();
        BiFunction<String, Integer, Integer> put = map::put;
        BiFunction<String, Function<String, Integer>, Integer> compute = map::computeIfAbsent;
        Function<Map<?, ?>, Integer> size = Map::size;
        shown("a null key", () -> put.apply(null, 1));
        shown("no receiver", () -> size.apply(null));
        shown("no bound receiver", () -> bind(null));
        shown("a function that throws", () -> compute.apply("k", key -> Integer.valueOf("none")));
        compute.apply("k", key -> {
            StackTraceElement[] frames = Thread.currentThread().getStackTrace();
            long own = Arrays.stream(frames).filter(frame -> frame.getClassName().equals("MethodReferences")).count();
            System.out.println(own);
            return 1;
        });
    }

    private static void bind(Map<String, Integer> map) {
        Supplier<Integer> size = map::size;
        size.get();
    }

    private static void serialized() throws IOException, ClassNotFoundException {
        HashMap<String, Integer> map = new HashMap<>(Map.of("a", 1));
        Stored<String, Integer> get = map::get;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(get);
        @SuppressWarnings("unchecked")
        Stored<String, Integer> copy = (Stored<String, Integer>) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        System.out.println(copy.apply("a") + " " + new String(bytes.toByteArray(), java.nio.charset.StandardCharsets.ISO_8859_1).contains("regiontrack"));
    }

    public static void main(String[] args) throws Exception {
        adapted();
        exceptions();
        serialized();
        List<String> declared = new ArrayList<>();
        for (Method method : MethodReferences.class.getDeclaredMethods()) {
            declared.add(method.getName());
        }
        declared.sort(null);
        System.out.println(declared);
    }
}
