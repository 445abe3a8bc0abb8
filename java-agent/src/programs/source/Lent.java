import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Arrays passed to methods that keep none of them, of the same class and of others, and what a program can see of such calls. */
public class Lent implements Serializable {
    private static final Object[] SHARED = {"x", null, "y"};
    private static int depth;
    private String name;

    interface Act {
        Object run() throws Exception;
    }

    public static int count(Object... all) {
        int n = 0;
        for (Object one : all) {
            n += one == null ? 0 : 1;
        }
        return n;
    }

    static Integer found(int at, Object... all) {
        return all[at] == null ? null : (Integer) at;
    }

    static String last(String... all) {
        return all[all.length - 1];
    }

    static String joined(String... all) {
        StringBuilder text = new StringBuilder();
        for (String one : all) {
            text.append(one.trim());
        }
        return text.toString();
    }

    /** Locals of each size, first where a parameter more would be. */
    static double mixed(long a, Object... all) {
        double sum = a;
        for (int i = 0; i < all.length; i++) {
            long l = i * 2L;
            Object o = all[i];
            sum += o == null ? l : -l;
        }
        String none = sum > 100 ? "large" : null;
        return sum + (none == null ? 0.5 : none.length());
    }

    private int own(Object... all) {
        return count(all) + name.length();
    }

    static int delegated(String first, Object... all) {
        return first.length() + count(all) + nested(2, all);
    }

    static int nested(int n, Object... all) {
        return n == 0 ? count(all) : nested(n - 1, all) + 1;
    }

    static int copied(Object[] from, Object[] to) {
        int n = 0;
        for (int i = 0; i < from.length; i++) {
            to[i] = from[i];
            n += to[i] == null ? 0 : 1;
        }
        return n;
    }

    static int either(boolean isShared, Object... all) {
        Object[] chosen = isShared ? SHARED : all;
        return chosen[0] == null ? 0 : chosen.length;
    }

    static synchronized int fails(boolean late, Object... all) {
        try {
            depth++;
            if (all[0] == null) {
                throw new IllegalStateException("no first");
            }
            return late ? ((String) all[1]).length() : 0;
        } finally {
            depth--;
        }
    }

    /** At the end of the stack the call itself fails. */
    static int deep(Object... all) {
        depth++;
        return deep(all[0], all[1], depth) + (all[0] == null ? 0 : 1);
    }

    private Lent(String... names) {
        name = names[0];
        names[0] = null;
    }

    Lent(int n) {
        this("a" + n, "b");
    }

    interface Counting {
        static int all(Object... all) {
            return all[0] == null ? 0 : all.length;
        }

        default int both() {
            return all("a", "b") + Lent.count("c");
        }
    }

    /** Its initialiser calls the method with an array that others can reach, while it is called with one that they cannot. */
    static class Initialised {
        static final Object[] OTHERS = {"o", null};
        static int seen = present(OTHERS);

        static int present(Object... all) {
            int n = 0;
            for (Object one : all) {
                n += one == null ? 0 : 1;
            }
            return n;
        }
    }

    /** Its methods are called from the class above; which one is called depends on the receiver in some cases. */
    static class Other {
        static int created;
        protected int base;

        Other(Object... all) {
            base = all[0] == null ? 0 : all.length;
            created++;
        }

        static int present(long a, Object... all) {
            int n = (int) a;
            for (Object one : all) {
                n += one == null ? 0 : 1;
            }
            return n;
        }

        static Object first(String... all) {
            return all[0];
        }

        static String text(Object... all) {
            return all[0] == null ? null : all[0] + "!";
        }

        static void fails(Object... all) {
            throw new IllegalStateException("at " + ((String) all[0]).length());
        }

        static int deep(Object... all) {
            depth++;
            return deep(all[0], depth) + (all[0] == null ? 0 : 1);
        }

        static int initialising(Object... all) {
            return late(all[0], all[0]) + Late.number;
        }

        static int late(Object... all) {
            return all[0] == all[1] ? 1 : 0;
        }

        int sum(int... all) {
            int sum = base;
            for (int one : all) {
                sum += one;
            }
            return sum;
        }

        int inPackage(Object... all) {
            return all[0] == null ? 1 : 2;
        }
    }

    /** Its initialiser calls a method of the other class. */
    static class Late {
        static int number = Other.late(SHARED);
    }

    static class Doubled extends Other {
        Doubled() {
            super("d", null);
        }

        @Override
        int sum(int... all) {
            return 2 * super.sum(all) + all[0];
        }
    }

    static class Keeping extends Other {
        static Object kept;

        @Override
        int sum(int... all) {
            kept = all;
            return all[0];
        }

        Keeping() {
            super((Object) null);
        }
    }

    static class Inheriting extends Doubled {
    }

    /** Its constructors take more than the array, call one another, fail, and write final fields. */
    static class Made {
        final long number;
        final Object first;

        Made(long number, double scale, Object... all) {
            if (all.length == 0) {
                throw new IllegalArgumentException("no first");
            }
            this.number = number + (long) scale + all.length;
            first = all[0];
        }

        Made(Made other, String... names) {
            this(other.number, 1.5, names[0].trim(), names.length);
        }

        static Made own(Object a) {
            return new Made(1, 2, a, "own");
        }
    }

    static class Nested extends Made {
        Nested(Object a) {
            super(new Made(3, 4, a, null).number, new Other(a, a).base, a, "nested");
        }
    }

    enum Named {
        A("a", 1), B(null, "b");

        final int length;

        Named(Object... all) {
            length = all[0] == null ? 0 : all.length;
        }
    }

    static class Last extends Inheriting {
        @Override
        int sum(int... all) {
            return all.length;
        }
    }

    interface Summing {
        int sum(int... all);

        default int twice(int... all) {
            return all[0] + all[0];
        }
    }

    private static final Other[] OTHERS = {new Other("a"), new Doubled(), new Keeping(), new Inheriting(), new Last(), new Other(null, "b")};
    private static final Summing[] SUMMING = {all -> all[0], new Summing() {
        @Override
        public int sum(int... all) {
            return all[0] - all[1];
        }

        @Override
        public int twice(int... all) {
            return 2 * all[1];
        }
    }};

    private static int others(int i) {
        Other other = OTHERS[i % OTHERS.length];
        Summing summing = SUMMING[i % 2];
        Object compared = "x";
        int sum = Other.present(i % 3, "a", null, compared) + other.sum(i, 2, 3) + other.inPackage("a", i) + summing.sum(i, 7) + summing.twice(1, 2);
        sum += new Other("a", i).base + new Doubled().base + (Other.first("x", "y") == compared ? 1 : 0);
        sum += made(i) + new Made(new Made(new Made(i, 2, compared), "x", "y"), " z ").number + new Nested(other).number + Named.values().length;
        return sum + Other.initialising("a") + OTHERS[0].sum(sum) + (Other.text("t") == null ? 1 : 0);
    }

    /** Objects that nobody keeps, and two that are selected. */
    private static long made(int i) {
        new Made(i, 0, "unused");
        Made either = i % 2 == 0 ? new Made(i, 1, "even", i) : new Made(Made.own("odd"), "o", null);
        try {
            new Made(i, 1, new Object[i % 3]);
        } catch (IllegalArgumentException e) {
            return either.number;
        }
        return -either.number - Named.B.length;
    }

    private static Object overflownElsewhere() {
        depth = 0;
        try {
            return Other.deep("a", 0);
        } catch (StackOverflowError e) {
            return depth > 100 && Other.present(0, SHARED) == 2;
        }
    }

    static int calls() throws Exception {
        String a = "a";
        Lent lent = new Lent(1);
        int sum = count(a, null, "c") + delegated("f", a, null) + copied(new Object[] {a, a}, new Object[2]) + copied(SHARED, new Object[3])
            + copied(new Object[] {a, null}, SHARED) + either(true, a) + either(false, a, a) + lent.own("d", null) + fails(false, a);
        Method method = Lent.class.getMethod("count", Object[].class);
        sum += (Integer) method.invoke(null, (Object) SHARED) + count(method.invoke(null, (Object) SHARED), SHARED);
        sum += Initialised.present("p", null, "q") + Initialised.seen + new Counting() { }.both();
        return sum + (int) mixed(3, a, null, null) + found(1, a, a) + last(a, "bc").length() + joined("u", " v ").length();
    }

    static void print(Act act) {
        for (int i = 0; i < 3; i++) {
            try {
                System.out.println(act.run());
            } catch (Exception e) {
                System.out.println(e.getMessage());
                for (StackTraceElement at : e.getStackTrace()) {
                    if (at.getClassName().startsWith("Lent")) {
                        System.out.println("  " + at);
                    }
                }
            }
        }
    }

    private static Object overflown() {
        depth = 0;
        try {
            return deep("a", "b", 0);
        } catch (StackOverflowError e) {
            return depth > 100 && count(SHARED) == count(SHARED[0], SHARED[1], SHARED[2]);
        }
    }

    public static void main(String[] args) throws Exception {
        int[][] table = {null, null, null};
        Lent nobody = args.length > 0 ? new Lent(1) : null;
        String gone = null;
        for (int i = 0; i < 20_000; i++) {
            depth += calls() - calls() + others(i);
        }
        System.out.println(depth + " " + Other.created);
        Other none = args.length > 0 ? OTHERS[0] : null;
        print(() -> none.sum(1, 2));
        print(() -> Other.text(null, "a").length());
        print(() -> Other.text(gone).length());
        print(() -> Other.first((String) null).toString());
        print(() -> table[Other.present(1, "a")][0]);
        print(() -> table[table == null ? 1 : Other.present(1, "a")][0]);
        print(() -> table[table != null ? count("a", null) : 1][0]);
        print(() -> (table != null ? Other.text(null, "a") : gone).length());
        print(() -> OTHERS[2].sum((int[]) null));
        print(() -> {
            Other.fails("abc", gone);
            return null;
        });
        print(() -> {
            Other.fails(gone, "abc");
            return null;
        });
        for (int i = 0; i < 2; i++) {
            Thread elsewhere = new Thread(null, () -> print(Lent::overflownElsewhere), "deep", 400_000);
            elsewhere.start();
            elsewhere.join();
        }
        print(() -> new Made(1, 2).number);
        print(() -> new Made(new Made(1, 2, "a"), gone, "a").first);
        print(() -> new Made((Made) null, "a").first);
        print(() -> new Made(3, 4, gone).first.toString());
        print(() -> Made.class.getDeclaredConstructor(long.class, double.class, Object[].class).newInstance(1, 2, SHARED).number);
        print(Lent::calls);
        print(() -> last("a", null).length());
        print(() -> last("a", gone));
        print(() -> found(1, "a", null) + 1);
        print(() -> found(1, "a", null).toString());
        print(() -> joined("a", gone).length());
        print(() -> table[count("a", "b", null)][0]);
        print(() -> table[count("a", null)][count("a", "b", null)]++);
        print(() -> nobody.own("a", "b"));
        print(() -> fails(true, "a", gone));
        print(() -> fails(true, gone, "a"));
        print(() -> count((Object[]) null));
        print(() -> Lent.class.getDeclaredMethod("fails", boolean.class, Object[].class).invoke(null, true, SHARED));
        Thread thread = new Thread(null, () -> print(Lent::overflown), "deep", 400_000);
        thread.start();
        thread.join();
        List<String> members = new ArrayList<>();
        for (Class<?> type : List.of(Lent.class, Other.class, Made.class, Named.class)) {
            for (Member[] declared : new Member[][] {type.getDeclaredMethods(), type.getDeclaredConstructors(), type.getDeclaredFields(), type.getMethods()}) {
                for (Member member : declared) {
                    members.add(member.toString());
                }
            }
        }
        Collections.sort(members);
        System.out.println(members + " " + ObjectStreamClass.lookup(Lent.class).getSerialVersionUID());
    }
}
