import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.LongSupplier;

/** Features of the language and the library since Java 11: prints the same with and without the agent. Compiled by the test that runs it. */
public class Modern {
    record Point(int x, double y, Object[] tags) implements Serializable {
        static int made;

        Point {
            made++;
        }

        Point scaled(int by) {
            return new Point(x * by, y * by, tags.clone());
        }
    }

    sealed interface Shape permits Circle, Square {
        double area();

        private static double twice(double d) {
            return d * 2;
        }

        default double doubled() {
            return twice(area());
        }
    }

    static final class Circle implements Shape {
        private double r = 1.5;

        public double area() {
            return r * r * 3;
        }
    }

    static final class Square implements Shape, Cloneable {
        private long a;
        private double b;
        private float c = 2.5f;

        public double area() {
            a += 2;
            b += a;
            c *= b;
            return a * b + c;
        }

        @Override
        public Square clone() throws CloneNotSupportedException {
            Square copy = (Square) super.clone();
            copy.a++;
            return copy;
        }
    }

    enum Colour {
        RED, GREEN {
            @Override
            String name2() {
                return "g" + uses++;
            }
        };

        static int uses;

        String name2() {
            uses += 2;
            return "c" + uses;
        }
    }

    static String name(Colour c) {
        return switch (c) {
            case RED -> "r" + c.name2();
            case GREEN -> "n" + c.name2();
        };
    }

    /** Private members of each other, which nestmates can write. */
    static class Outer {
        private int secret;
        private static long shared;

        class Inner {
            private boolean flag;
            private byte small;
            private char letter = 'a';
            private short half;

            void change() {
                secret += 3;
                shared -= 2;
                flag ^= true;
                small += 130;
                letter++;
                half -= 1;
            }
        }
    }

    interface Constants {
        int[] SEEN = new int[2];
        long START = Long.getLong("none", 5);
    }

    static class Serial implements Serializable {
        private static final long serialVersionUID = 1;
        int a = 4;
        transient int b = 5;
        List<Object> list = new ArrayList<>(List.of("x", 1));
    }

    volatile int updated;
    int handled;

    static void values() throws Exception {
        Point p = new Point(2, 1.25, new Object[] {"a", 3});
        System.out.println(p.scaled(3).x() + " " + p.scaled(2).y() + " " + Point.made + " " + Arrays.toString(p.tags()));
        for (Shape s : new Shape[] {new Circle(), new Square(), new Square().clone()}) {
            System.out.println(s.doubled() + " " + s.area());
        }
        System.out.println(name(Colour.RED) + name(Colour.GREEN) + name(Colour.RED));
        Outer o = new Outer();
        Outer.Inner i = o.new Inner();
        i.change();
        i.flag |= o.secret == 3;
        System.out.println(o.secret + " " + Outer.shared + i.flag + i.small + i.letter + i.half);
        Constants.SEEN[1] += Constants.START;
        System.out.println(Constants.SEEN[1]);
        long[][] wide = new long[2][3];
        wide[1][2] += 5;
        wide[1][2] <<= wide[1].clone()[2]--;
        double[] d = {1, 2};
        d[1] /= d[0]++ + 1;
        System.out.println(wide[1][2] + Arrays.toString(d));
        long ternary = (wide[0] == null ? d[0] : wide[1][2]) > 1 ? o.secret : Outer.shared;
        System.out.println(ternary);
    }

    static void library() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ObjectOutputStream out = new ObjectOutputStream(bytes);
        out.writeObject(new Serial());
        out.writeObject(new Point(1, 2, new Object[0]));
        ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())) {
            @Override
            protected Class<?> resolveClass(java.io.ObjectStreamClass c) throws ClassNotFoundException {
                return Class.forName(c.getName(), false, Modern.class.getClassLoader());
            }
        };
        Serial s = (Serial) in.readObject();
        System.out.println(s.a + " " + s.b + s.list + in.readObject().hashCode() % 1 + " " + bytes.size());
        for (Field f : Serial.class.getDeclaredFields()) {
            System.out.print(f.isSynthetic() ? "" : f.getName() + " ");
        }
        System.out.println();
        Modern m = new Modern();
        VarHandle handle = MethodHandles.lookup().findVarHandle(Modern.class, "handled", int.class);
        handle.getAndAdd(m, 4);
        AtomicIntegerFieldUpdater.newUpdater(Modern.class, "updated").addAndGet(m, 3);
        LongSupplier both = () -> m.handled + m.updated;
        System.out.println(both.getAsLong());
    }

    static class Starting extends Thread {
        private final StringBuilder text;
        private int late;

        Starting(ThreadGroup group, StringBuilder text) {
            super(group, "starting");
            this.text = text;
            start();
            late = 7;
        }

        @Override
        public void run() {
            text.append(getThreadGroup().getName());
            throw new IllegalStateException("ends");
        }
    }

    static void threads() throws Exception {
        StringBuilder text = new StringBuilder();
        ThreadGroup group = new ThreadGroup("group") {
            @Override
            public void uncaughtException(Thread t, Throwable e) {
                text.append(' ').append(e.getMessage());
            }
        };
        Starting t = new Starting(group, text);
        t.join(10_000);
        t.join();
        t.join(1, 500);
        System.out.println(text + " " + t.late + t.isAlive());
        Object lock = new Object();
        synchronized (lock) {
            synchronized (lock) {
                lock.wait(2);
                lock.wait(1, 10);
            }
            try {
                lock.wait(-1);
            } catch (IllegalArgumentException e) {
                System.out.println("negative");
            }
            Thread.currentThread().interrupt();
            try {
                lock.wait();
            } catch (InterruptedException e) {
                System.out.println("interrupted " + Thread.holdsLock(lock));
            }
        }
        Thread.currentThread().interrupt();
        try {
            t.join();
        } catch (InterruptedException e) {
            System.out.println("join interrupted");
        }
        Thread.interrupted();
        System.out.println(finallyReturns(lock) + " " + Thread.holdsLock(lock));
    }

    @SuppressWarnings("finally")
    static int finallyReturns(Object lock) {
        for (;;) {
            synchronized (lock) {
                try {
                    throw new IllegalStateException();
                } finally {
                    return 3;
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        values();
        library();
        threads();
        Thread daemon = new Thread(() -> {
            for (long i = 0;; i++) {
                Outer.shared = i;
            }
        });
        daemon.setDaemon(true);
        daemon.start();
    }
}
