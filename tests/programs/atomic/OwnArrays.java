package atomic;

import java.util.Arrays;
import java.util.stream.Stream;
import schedule.Steps;

/**
 * Arrays that never leave the methods that allocate them, except to methods that do not keep them: two threads, and
 * nothing to record. Run with {@code arrays=all}.
 */
public class OwnArrays {
    private static final int ROUNDS = 1000;

    static int sum(int... terms) {
        int sum = 0;
        for (int term : terms) {
            sum += term;
        }
        return sum;
    }

    static int present(Object... all) {
        int present = 0;
        for (Object one : all) {
            present += one == null ? 0 : 1;
        }
        return present;
    }

    /** Another class that does not keep them. */
    static final class Other {
        private Other() {
        }

        static int longest(int least, String... all) {
            int longest = least;
            for (int i = 0; i < all.length; i++) {
                longest = Math.max(longest, all[i].length());
                all[i] = null;
            }
            return longest;
        }
    }

    /** Its constructor is not one of this class. */
    static final class Counted {
        final int count;

        Counted(Object... all) {
            count = all[0] == null ? 0 : all.length;
        }
    }

    /** Methods that only the receiver selects. */
    interface Looks {
        int look(int at, Object... all);
    }

    static class First implements Looks {
        @Override
        public int look(int at, Object... all) {
            return all[at % 2] == null ? 0 : 1;
        }
    }

    static final class Last extends First {
        @Override
        public int look(int at, Object... all) {
            return all[all.length - 1 - at % 2] == null ? 0 : 1;
        }
    }

    static int looks(Looks looks, First first, long at) {
        return looks.look((int) at, "a", null) + first.look(1, null, at);
    }

    int overridable(double weight, String... all) {
        return all[0].length() + (int) weight;
    }

    final int fixed(String... all) {
        return all[0].length() + overridable(2.5, all[0]);
    }

    int both() {
        // The platform keeps these arrays where only the platform looks at them.
        long streamed = Stream.of(this, "b", "c").count() + Arrays.stream(new Object[] {this, 2}).count();
        int listed = (Arrays.asList(this, "b") == null ? 1 : 2) + Arrays.deepHashCode(new Object[] {1, "d"});
        return fixed("abc") + overridable(1, "ab") + (int) streamed + listed + new Counted("a", null).count;
    }

    static void fill(long[] squares) {
        for (int i = 0; i < squares.length; i++) {
            squares[i] = (long) i * i;
        }
    }

    static long histogram(int seed) {
        int[] counts = new int[64];
        double[] weights = new double[counts.length];
        for (int i = 0; i < 256; i++) {
            counts[i * seed & 63]++;
            weights[i & 63] += i;
        }
        long total = 0;
        for (int i = 0; i < counts.length; i++) {
            total += counts[i] * (long) weights[i];
        }
        return total;
    }

    static long squares(int n) {
        long[] squares = new long[n];
        fill(squares);
        return squares[n - 1] + squares[0];
    }

    static int matrix(int n) {
        int trace = 0;
        for (int i = 0; i < n; i++) {
            int[] row = {i, i + 1, i + 2};
            int[] same = row;
            same[1] += row[0];
            trace += same[i % 3];
        }
        return trace;
    }

    private static long all() {
        long result = 0;
        First first = new First();
        First last = new Last();
        OwnArrays own = new OwnArrays();
        for (int i = 0; i < ROUNDS; i++) {
            result += sum(i, 2, 3) + present("a", null, i) + histogram(i) + squares(i + 1)
                + matrix(i % 7) + Other.longest(i % 3, "a", "bc") + looks(i % 2 == 0 ? first : last, i % 3 == 0 ? first : last, i) + own.both();
        }
        return result;
    }

    public static void main(String[] args) throws InterruptedException {
        Runnable all = () -> System.out.println("result " + all());
        Steps.run(all, all);
    }
}
