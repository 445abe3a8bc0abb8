package stress;

import dev.regiontrack.check.ItemCheck;
import dev.regiontrack.check.OrderCheck;
import dev.regiontrack.runtime.testing.Tap;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Four racing threads read and write hot and cold variables of all kinds, with unique values. Then the tap and the
 * rings are checked against each other. Arguments: the number of operations of a thread, a seed, and optionally a file
 * to which the log of the tap is written, to be checked elsewhere.
 */
public final class OrderStress {
    private static final int HOT = 8;
    private static final int COLD = 2048;
    /** How many ways to access a variable there are at each place. */
    private static final int WAYS = 15;
    /** From this one on, the variables are not declared by the object's class. */
    private static final int OTHERS = 12;
    private static final Object LOCK = new Object();

    private OrderStress() {
    }

    interface Var {
        long apply(int which, boolean isWrite, long v);
    }

    /** Copies the object of a variable. */
    interface Copy {
        Var make();
    }

    /** The variables of an object, and an element of each of three arrays. */
    private static Var own(Base o, Elements of, int at) {
        return (which, isWrite, v) -> {
            switch (which) {
                case OTHERS:
                    if (isWrite) {
                        of.boxes[at] = v;
                        return v;
                    }
                    Long l = of.boxes[at];
                    return l == null ? 0 : l;
                case OTHERS + 1: return isWrite ? of.longs[at] = v : of.longs[at];
                case OTHERS + 2: return isWrite ? of.ints[at] = Sub.narrow(v) : of.ints[at];
                default: return Sub.OP.apply(o, which, isWrite, v);
            }
        };
    }

    /** Arrays, with an element for each object. */
    static final class Elements {
        final Long[] boxes = new Long[HOT + COLD];
        final long[] longs = new long[HOT + COLD];
        final int[] ints = new int[HOT + COLD];
    }

    /** The same through a class of another loader, whose superclass is of this loader; the superclass's fields also from here. */
    private static Var elsewhere(Base o, Op op) {
        return (which, isWrite, v) -> {
            switch (which) {
                case OTHERS: return isWrite ? o.value = v : o.value;
                case OTHERS + 1: return isWrite ? o.flag = v : o.flag;
                case OTHERS + 2: return isWrite ? Base.shared = v : Base.shared;
                default: return op.apply(o, which, isWrite, v);
            }
        };
    }

    /** Loads one class again, and its nested ones; delegates all others to its parent. */
    static final class Loader extends ClassLoader {
        private final String own;

        Loader(ClassLoader above, String own) {
            super(above);
            this.own = own;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(own)) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[0]);
        long seed = args.length > 1 ? Long.parseLong(args[1]) : 1;
        List<Var> vars = new ArrayList<>();
        List<Copy> copies = new ArrayList<>();
        variables(vars, copies);
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            int me = t + 1;
            threads[t] = new Thread("worker-" + me) {
                @Override
                public void run() {
                    WORK.run(vars, copies, n, me, seed);
                }
            };
            threads[t].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        if (args.length > 2) {
            Tap.write(Path.of(args[2]));
            return;
        }
        System.exit((Tap.hasItems() ? ItemCheck.check() : OrderCheck.check()) ? 0 : 1);
    }

    /** A class of this loader; the same name in two other loaders, with a superclass of this one; a subclass of one of these in a fourth. */
    private static Class<?>[] classes() throws ClassNotFoundException {
        ClassLoader ours = OrderStress.class.getClassLoader();
        Loader one = new Loader(ours, "stress.Sub");
        Loader two = new Loader(ours, "stress.Sub");
        Loader below = new Loader(one, "stress.Leaf");
        Class<?>[] all = {Sub.class, one.loadClass("stress.Sub"), two.loadClass("stress.Sub"), below.loadClass("stress.Leaf")};
        Set<ClassLoader> loaders = new HashSet<>();
        for (Class<?> c : all) {
            loaders.add(c.getClassLoader());
        }
        if (loaders.size() != all.length || all[3].getSuperclass() != all[1] || all[1].getSuperclass() != Base.class) {
            throw new AssertionError("a class has the wrong loader");
        }
        return all;
    }

    private static void variables(List<Var> vars, List<Copy> copies) throws Exception {
        Class<?>[] classes = classes();
        Elements elements = new Elements();
        Base original = null;
        for (int i = 0; i < HOT + COLD; i++) {
            Class<?> c = classes[i / 2 % classes.length];
            // Every second one is a copy, made after writes.
            boolean isCopy = i % 2 == 1;
            Base o = isCopy ? original.copy() : (Base) c.getConstructor(int.class).newInstance(i);
            Op op = (Op) c.getField("OP").get(null);
            int at = i;
            Var var = c == Sub.class ? own(o, elements, at) : elsewhere(o, op);
            if (!isCopy) {
                for (int which = 0; which < WAYS; which++) {
                    var.apply(which, true, (long) i * WAYS + which + 1);
                }
            }
            vars.add(var);
            copies.add(() -> c == Sub.class ? own(o.copy(), elements, at) : elsewhere(o.copy(), op));
            original = o;
        }
    }

    interface Work {
        void run(List<Var> vars, List<Copy> copies, int n, int me, long seed);
    }

    private static final Work WORK = (vars, copies, n, me, seed) -> {
        long rnd = 88172645463325252L * (me + 3 + 16 * seed);
        long sum = 0;
        for (int i = 0; i < n; i += 16) {
            rnd ^= rnd << 13;
            rnd ^= rnd >>> 7;
            rnd ^= rnd << 17;
            switch ((int) (rnd >>> 40) & 7) {
                case 0: sum += locked(vars, rnd, i, me); break;
                case 1: case 2: case 3: sum += block(vars, rnd, i, me); break;
                case 4: sum += copied(copies.get((int) (rnd >>> 20) & 2 * HOT - 1), rnd, i, me); break;
                default:
                    // Outside any block: long segments.
                    for (int k = 0; k < 16; k++) {
                        rnd ^= rnd << 13;
                        rnd ^= rnd >>> 7;
                        rnd ^= rnd << 17;
                        sum += vars.get(HOT + (int) (rnd >>> 20 & 15)).apply((int) ((rnd >>> 30 & 0xffff) % WAYS), (rnd >>> 50 & 15) == 0, (long) me << 40 | i + k);
                    }
            }
        }
        sink = sum;
    };

    static volatile long sink;

    /** An atomic block. */
    private static long block(List<Var> vars, long rnd, int i, int me) {
        return run(vars, rnd, i, me);
    }

    private static long locked(List<Var> vars, long rnd, int i, int me) {
        synchronized (LOCK) {
            return run(vars, rnd, i, me);
        }
    }

    /** On a copy of an object to which others write at the same time: it has the same values in separate variables. */
    private static long copied(Copy copy, long rnd, int i, int me) {
        return run(Collections.nCopies(HOT + COLD, copy.make()), rnd, i, me);
    }

    /** Sixteen operations on a few variables, so that some are redundant. */
    private static long run(List<Var> vars, long seed, int i, int me) {
        long rnd = seed;
        long sum = 0;
        for (int k = 0; k < 16; k++) {
            rnd ^= rnd << 13;
            rnd ^= rnd >>> 7;
            rnd ^= rnd << 17;
            boolean isHot = (rnd & 3) == 0;
            int at = isHot ? (int) (rnd >>> 20) & HOT - 1 : HOT + (((int) (seed >>> 12) + ((int) (rnd >>> 20) & 3)) & COLD - 1);
            Var v = vars.get(at);
            int which = (int) ((rnd >>> 30 & 0xffff) % WAYS);
            sum += v.apply(which, (rnd >>> 50 & 3) == 0, (long) me << 40 | i + k);
        }
        return sum;
    }
}
