package rare;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The head of a queue is looked at and then taken, by somebody who takes it for the same. */
public final class Jobs {
    private Jobs() {
    }

    public static final class Wrong extends Pair {
        private final Queue<String> queue = new ConcurrentLinkedQueue<>(java.util.List.of("a"));

        @Override
        public void one() {
            if (!queue.isEmpty()) {
                queue.remove();
            }
        }

        @Override
        public boolean isRight() {
            return queue.isEmpty();
        }
    }

    public static final class Right extends Pair {
        private final Queue<String> queue = new ConcurrentLinkedQueue<>(java.util.List.of("a"));

        @Override
        public void one() {
            queue.poll();
        }

        @Override
        public boolean isRight() {
            return queue.isEmpty();
        }
    }
}
