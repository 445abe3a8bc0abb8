package subjects;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * The shortest tour through {@code size} towns by branch and bound, after von Praun and Gross: threads take beginnings of tours from a queue. The length of the
 * best tour so far is read without a lock, to cut off what cannot be better, and compared again under the lock. Checked against dynamic programming.
 */
final class Salesman implements Workload {
    /** Beginnings of this length are handed out. */
    private static final int DEPTH = 3;

    private int[][] distances;
    private Deque<int[]> queue;
    private final Object lock = new Object();
    private volatile int best;

    @Override
    public String run(int threads, int size) throws Exception {
        distances = map(size);
        queue = new ArrayDeque<>();
        best = Integer.MAX_VALUE;
        begin(new int[] {0}, size);
        Team.round("salesman", threads, number -> {
            for (int[] tour = next(); tour != null; tour = next()) {
                int[] whole = Arrays.copyOf(tour, size);
                boolean[] isVisited = new boolean[size];
                for (int town : tour) {
                    isVisited[town] = true;
                }
                extend(whole, isVisited, tour.length, length(tour));
            }
        });
        WrongResult.unless(expected(), best, "the shortest tour");
        return "the shortest tour is " + best;
    }

    private static int[][] map(int size) {
        int[][] distances = new int[size][size];
        for (int i = 0; i < size; i++) {
            for (int k = 0; k < size; k++) {
                int across = i * 7919 % 101 - k * 7919 % 101;
                int up = i * 104_729 % 103 - k * 104_729 % 103;
                distances[i][k] = (int) Math.round(Math.sqrt(across * across + up * up));
            }
        }
        return distances;
    }

    private void begin(int[] tour, int size) {
        if (tour.length == Math.min(DEPTH, size)) {
            queue.add(tour);
            return;
        }
        for (int town = 1; town < size; town++) {
            int added = town;
            if (Arrays.stream(tour).noneMatch(visited -> visited == added)) {
                int[] longer = Arrays.copyOf(tour, tour.length + 1);
                longer[tour.length] = town;
                begin(longer, size);
            }
        }
    }

    private int[] next() {
        synchronized (lock) {
            return queue.poll();
        }
    }

    private int length(int[] tour) {
        int length = 0;
        for (int i = 1; i < tour.length; i++) {
            length += distances[tour[i - 1]][tour[i]];
        }
        return length;
    }

    private void extend(int[] tour, boolean[] isVisited, int visited, int length) {
        if (length >= best) {
            return;
        }
        if (visited == tour.length) {
            offer(length + distances[tour[visited - 1]][0]);
            return;
        }
        for (int town = 1; town < tour.length; town++) {
            if (!isVisited[town]) {
                isVisited[town] = true;
                tour[visited] = town;
                extend(tour, isVisited, visited + 1, length + distances[tour[visited - 1]][town]);
                isVisited[town] = false;
            }
        }
    }

    private void offer(int length) {
        synchronized (lock) {
            if (length < best) {
                best = length;
            }
        }
    }

    /** By Held and Karp: the shortest way through each set of towns to each of its towns. */
    private int expected() {
        int size = distances.length;
        int[][] ways = new int[1 << size][size];
        for (int[] way : ways) {
            Arrays.fill(way, Integer.MAX_VALUE / 2);
        }
        ways[1][0] = 0;
        for (int set = 1; set < ways.length; set += 2) {
            for (int last = 0; last < size; last++) {
                for (int town = 1; town < size; town++) {
                    int more = set | 1 << town;
                    if (more != set) {
                        ways[more][town] = Math.min(ways[more][town], ways[set][last] + distances[last][town]);
                    }
                }
            }
        }
        int shortest = Integer.MAX_VALUE;
        for (int last = 1; last < size; last++) {
            shortest = Math.min(shortest, ways[ways.length - 1][last] + distances[last][0]);
        }
        return shortest;
    }
}
