import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Branches, loops, lambdas and an interface with code, run by two threads one after the other: input for a coverage tool. */
public class Covered {
    interface Shape {
        int size();

        default int twice() {
            return size() > 100 ? 0 : 2 * size();
        }
    }

    static final class Square implements Shape {
        private int side;

        Square(int side) {
            this.side = side;
        }

        @Override
        public int size() {
            side++;
            return side * side;
        }
    }

    static int total;
    static final Object LOCK = new Object();
    static byte[] bytes = new byte[4];

    static void add(IntUnaryOperator of, int to) {
        for (int i = 0; i < to; i++) {
            synchronized (LOCK) {
                total += of.applyAsInt(i);
                bytes[i % 4]++;
            }
        }
    }

    static String word(int n) {
        switch (n % 3) {
            case 0: return "none";
            case 1: return total > 0 ? "one" : "never";
            default: return "many";
        }
    }

    public static void main(String[] args) throws Exception {
        List<Shape> shapes = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            shapes.add(new Square(i));
        }
        for (int i = 0; i < 2; i++) {
            Thread thread = new Thread(() -> add(n -> shapes.get(n).twice(), 5));
            thread.start();
            thread.join();
        }
        System.out.println(total + " " + word(total) + " " + bytes[0]);
    }
}
