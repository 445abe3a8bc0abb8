package programs;

import java.util.Queue;
import java.util.function.IntFunction;
import org.jctools.maps.NonBlockingHashMap;
import org.jctools.queues.MpmcArrayQueue;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.jctools.queues.SpscArrayQueue;
import org.jctools.queues.atomic.MpmcAtomicArrayQueue;
import org.jctools.queues.atomic.MpscLinkedAtomicQueue;

/** JCTools: queues between producers and consumers, and a map that all share. */
public final class JcTools {
    private JcTools() {
    }

    /** The arguments are elements of each producer, and keys that each thread counts in the map. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[0]);
        pass("one to one", 1, 1, size, SpscArrayQueue::new);
        pass("many to one, linked", 2, 1, size, capacity -> new MpscLinkedAtomicQueue<>());
        pass("many to one, growing", 2, 1, size, MpscUnboundedArrayQueue::new);
        pass("many to many", 2, 2, size, MpmcArrayQueue::new);
        pass("many to many, atomics", 2, 2, size, MpmcAtomicArrayQueue::new);
        int keys = Integer.parseInt(arguments[1]);
        NonBlockingHashMap<Integer, Integer> map = new NonBlockingHashMap<>();
        Team.run(3, number -> {
            for (int key = 0; key < keys; key++) {
                while (!count(map, key)) {
                    Thread.onSpinWait();
                }
            }
            return number;
        });
        int sum = map.values().stream().mapToInt(Integer::intValue).sum();
        System.out.println("map: " + map.size() + " keys, sum " + sum);
    }

    private static boolean count(NonBlockingHashMap<Integer, Integer> map, Integer key) {
        Integer old = map.putIfAbsent(key, 1);
        return old == null || map.replace(key, old, old + 1);
    }

    private static void pass(String name, int producers, int consumers, int size, IntFunction<Queue<Integer>> create) throws Exception {
        Queue<Integer> queue = create.apply(64);
        long sum = 0;
        for (Object part : Team.run(producers + consumers, number -> number < producers ? produce(queue, number, size)
            : consume(queue, size * producers / consumers))) {
            sum += (Long) part;
        }
        System.out.println(name + ": " + sum);
    }

    private static Long produce(Queue<Integer> queue, int number, int size) {
        for (int i = 0; i < size; i++) {
            while (!queue.offer(number * size + i)) {
                Thread.yield();
            }
        }
        return 0L;
    }

    private static Long consume(Queue<Integer> queue, int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            Integer element = queue.poll();
            while (element == null) {
                Thread.yield();
                element = queue.poll();
            }
            sum += element;
        }
        return sum;
    }
}
