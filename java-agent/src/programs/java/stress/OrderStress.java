package stress;

import dev.regiontrack.check.OrderCheck;
import dev.regiontrack.runtime.Tap;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Four threads read and write hot and cold variables of all kinds, racing, with unique values. The tap and the rings are then
 * checked against each other: arguments are the number of operations of a thread, a seed, and a file, where the log of the tap
 * is written to it and checked elsewhere.
 */
public final class OrderStress {
    private static final int HOT = 8;
    private static final int COLD = 2048;
    /** How many ways to access a variable there are at each place. */
    private static final int WAYS = 13;
    private static final Object LOCK = new Object();

    private OrderStress() {
    }

    interface Var {
        long apply(int which, boolean isWrite, long v);
    }

    /** The variables of an object, and an element of each of three arrays. */
    private static Var own(Sub o, Elements of, int at) {
        return (which, isWrite, v) -> {
            switch (which) {
                case 10:
                    if (isWrite) {
                        of.boxes[at] = v;
                        return v;
                    }
                    Long l = of.boxes[at];
                    return l == null ? 0 : l;
                case 11: return isWrite ? of.longs[at] = v : of.longs[at];
                case 12: return isWrite ? of.ints[at] = Sub.narrow(v) : of.ints[at];
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

    /** The same through a class of another loader, whose superclass is ours; the superclass's fields also from here. */
    private static Var elsewhere(Base o, Op op) {
        return (which, isWrite, v) -> which == 10 ? isWrite ? o.value = v : o.value
            : which == 11 ? isWrite ? o.flag = v : o.flag : which == 12 ? isWrite ? Base.shared = v : Base.shared : op.apply(o, which, isWrite, v);
    }

    /** Loads Sub again, with Base and the rest from above. */
    static final class Loader extends ClassLoader {
        Loader() {
            super(OrderStress.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("stress.Sub")) {
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
        List<Var> vars = variables();
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            int me = t + 1;
            threads[t] = new Thread("worker-" + me) {
                @Override
                public void run() {
                    WORK.run(vars, n, me, seed);
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
        System.exit(OrderCheck.check() ? 0 : 1);
    }

    private static List<Var> variables() throws Exception {
        List<Var> vars = new ArrayList<>();
        Class<?> other = new Loader().loadClass("stress.Sub");
        Op op = (Op) other.getField("OP").get(null);
        Elements elements = new Elements();
        Base before = null;
        Sub mine = null;
        for (int i = 0; i < HOT + COLD; i++) {
            if (i % 4 == 3) {
                // A copy of what other threads know, too.
                vars.add(elsewhere(before.copy(), op));
            } else if (i % 4 == 2) {
                before = (Base) other.getConstructor(int.class).newInstance(i);
                vars.add(elsewhere(before, op));
            } else {
                mine = i % 4 == 1 ? (Sub) mine.copy() : new Sub(i);
                vars.add(own(mine, elements, i));
            }
        }
        return vars;
    }

    interface Work {
        void run(List<Var> vars, int n, int me, long seed);
    }

    private static final Work WORK = (vars, n, me, seed) -> {
        long rnd = 88172645463325252L * (me + 3 + 16 * seed);
        long sum = 0;
        for (int i = 0; i < n; i += 16) {
            rnd ^= rnd << 13;
            rnd ^= rnd >>> 7;
            rnd ^= rnd << 17;
            switch ((int) (rnd >>> 40) & 7) {
                case 0: sum += locked(vars, rnd, i, me); break;
                case 1: case 2: case 3: sum += block(vars, rnd, i, me); break;
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
