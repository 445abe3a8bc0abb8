package programs;

import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.dsl.ProducerType;
import com.lmax.disruptor.util.DaemonThreadFactory;

/** The Disruptor: producers, two stages of consumers. */
public final class Disruptor {
    private Disruptor() {
    }

    /** The arguments are producers and events of each. */
    public static void main(String[] arguments) throws Exception {
        int producers = Integer.parseInt(arguments[0]);
        int size = Integer.parseInt(arguments[1]);
        com.lmax.disruptor.dsl.Disruptor<Cell> disruptor = new com.lmax.disruptor.dsl.Disruptor<>(Cell::new, 256, DaemonThreadFactory.INSTANCE,
            ProducerType.MULTI, new BlockingWaitStrategy());
        Sum sum = new Sum();
        EventHandler<Cell> square = (cell, sequence, isLast) -> cell.value = cell.value * cell.value % 1_000_003;
        disruptor.handleEventsWith(square).then(sum);
        RingBuffer<Cell> ring = disruptor.start();
        Team.print(producers, number -> {
            for (int i = 0; i < size; i++) {
                long value = number * (long) size + i;
                ring.publishEvent((cell, sequence) -> cell.value = value);
            }
            return size + " published";
        });
        disruptor.shutdown();
        System.out.println(sum.count + " events, sum " + sum.sum);
    }

    private static final class Cell {
        long value;
    }

    private static final class Sum implements EventHandler<Cell> {
        int count;
        long sum;

        @Override
        public void onEvent(Cell cell, long sequence, boolean isLast) {
            count++;
            sum += cell.value;
        }
    }
}
