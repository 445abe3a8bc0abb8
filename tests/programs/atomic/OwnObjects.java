package atomic;

import schedule.Steps;

/** Objects that never leave the methods that make them: two threads at it, and nothing to record. */
public class OwnObjects {
    private static final int ROUNDS = 200_000;
    private int count;
    private String last;

    private static class Point {
        int x;
        double y;
    }

    private static final class Named extends Point {
        long id;
        String name;
        Point origin;
    }

    static double distance(int rounds) {
        double distance = 0;
        for (int i = 0; i < rounds; i++) {
            Point one = new Point();
            Point other = new Point();
            one.x = i;
            one.y = one.x * 2;
            other.x += 3;
            other.y -= one.y;
            Point nearest = one;
            distance += nearest == one && nearest.x >= 0 ? one.x - other.x + other.y : 0;
        }
        return distance;
    }

    static long named(int rounds) {
        long ids = 0;
        for (int i = 0; i < rounds; i++) {
            Named named = new Named();
            named.id = i;
            for (int k = 0; k < 2; k++) {
                named.x += k;
                named.name = k == 1 ? "named" : null;
            }
            ids += named.id + named.x + (named.origin == null ? named.name.length() : 0);
        }
        return ids;
    }

    static int ofItsOwnClass(int rounds) {
        int count = 0;
        for (int i = 0; i < rounds; i++) {
            OwnObjects own = new OwnObjects();
            own.count = i;
            own.last = "last";
            count += own.last.length() + own.count;
        }
        return count;
    }

    private static double all() {
        return distance(ROUNDS) + named(ROUNDS) + ofItsOwnClass(ROUNDS);
    }

    public static void main(String[] args) throws InterruptedException {
        Runnable all = () -> System.out.println("result " + all());
        Steps.run(all, all);
    }
}
