package called;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;

import schedule.Sequences;

/**
 * Plays the sequences of calls of a file, and writes what each call has returned to another one. The blocks are methods of generated classes, which call
 * {@link #inside}.
 */
public final class Player {
    /** Enters a block by its number. */
    public interface Blocks {
        void enter(int block, int thread);
    }

    private static final int THREADS = 3;
    private static final int MAIN = THREADS;

    private Player() {
    }

    /** What a thread does in a block, up to its end. */
    public static void inside(int thread, Blocks blocks) {
        Sequences.done();
        steps(thread, blocks);
    }

    private static void steps(int thread, Blocks blocks) {
        for (;;) {
            switch (Sequences.next(thread)) {
                case 'b':
                    blocks.enter(Sequences.number(2), thread);
                    break;
                case 'c':
                    Sequences.returned(result(thread));
                    break;
                case 'o':
                    Sequences.make(Sequences.number(2), made(Sequences.word(3), Sequences.number(4)));
                    break;
                default:
                    return;
            }
            Sequences.done();
        }
    }

    private static Object result(int thread) {
        try {
            Object object = Sequences.object(Sequences.number(2));
            String before = Sequences.word(3).startsWith("map.") ? Sequences.order(object) : "";
            Object result = call(thread, Sequences.number(2), Sequences.word(3), Sequences.number(4), Sequences.number(5));
            return before.isEmpty() || before.equals(Sequences.order(object)) ? result : Sequences.marked(result);
        } catch (RuntimeException e) {
            return "!" + e.getClass().getSimpleName();
        }
    }

    @SuppressWarnings("unchecked")
    private static Object call(int thread, int number, String name, int a, int b) {
        Object object = Sequences.object(number);
        int dot = name.indexOf('.');
        String method = name.substring(dot + 1);
        switch (name.substring(0, dot)) {
            case "list":
                return Lists.call((List<Object>) object, method, a, b, thread, number);
            case "collection":
                return Collected.call((Collection<Object>) object, method, a, b, thread, number);
            case "set":
                return Collected.sorted((java.util.NavigableSet<Object>) object, method, a);
            case "map":
                return Maps.call((Map<Object, Object>) object, method, a, b);
            case "view":
                return Maps.view((Map<Object, Object>) object, method, a, b, thread, number);
            case "entry":
                return Maps.entry((Map<Object, Object>) object, method, a, b, thread, number);
            case "sorted":
                return Maps.sorted((java.util.NavigableMap<Object, Object>) object, method, a);
            case "queue":
                return Queues.call((Queue<Object>) object, method, a, thread, number);
            case "deque":
                return Queues.deque((java.util.Deque<Object>) object, method, a);
            case "between":
                return Arguments.call(object, method, Sequences.object(a));
            case "buffer":
                return Buffers.call(object, method, a);
            default:
                return Atomics.call(object, name, a, b);
        }
    }

    private static Object made(String kind, int size) {
        Object made = Lists.made(kind, size);
        made = made == null ? Collected.made(kind, size) : made;
        made = made == null ? Maps.made(kind, size) : made;
        made = made == null ? Queues.made(kind, size) : made;
        made = made == null ? Buffers.made(kind) : made;
        return made == null ? Atomics.made(kind) : made;
    }

    public static void main(String[] args) throws IOException, InterruptedException, ReflectiveOperationException {
        Blocks blocks = (Blocks) Class.forName(args[2]).getConstructor().newInstance();
        Sequences.load(Files.readString(Path.of(args[0])));
        Sequences.enter(MAIN);
        Thread[] threads = new Thread[THREADS];
        for (int number = 0; number < THREADS; number++) {
            int thread = number;
            threads[number] = new Thread(() -> {
                Sequences.enter(thread);
                steps(thread, blocks);
            }, "thread-" + thread);
        }
        for (Thread thread : threads) {
            thread.start();
        }
        steps(MAIN, blocks);
        for (Thread thread : threads) {
            thread.join();
        }
        Files.writeString(Path.of(args[1]), Sequences.results());
        System.out.println("played");
    }
}
