package advised;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import schedule.Steps;

/**
 * Two calls that one would do, and with the argument {@code fixed} the one call that the advice names. Only methods called {@code once..} have to be atomic.
 */
public class OneCall {
    private static final VarHandle OWNER;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(OneCall.class, "owner", String.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    enum Colour { RED, BLUE }

    private final boolean isFixed;
    private final ConcurrentHashMap<String, Integer> absent = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Integer> present = new ConcurrentHashMap<>(java.util.Map.of("k", 1));
    private final ConcurrentHashMap<String, Integer> computed = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> queue = new ConcurrentLinkedQueue<>(List.of("a", "b"));
    private final ArrayBlockingQueue<String> bounded = new ArrayBlockingQueue<>(2);
    private final ConcurrentSkipListSet<Integer> sorted = new ConcurrentSkipListSet<>(List.of(1, 2, 3));
    private final EnumSet<Colour> colours = EnumSet.noneOf(Colour.class);
    private final Set<Colour> guarded = Collections.synchronizedSet(EnumSet.noneOf(Colour.class));
    private final AtomicMarkableReference<String> marked = new AtomicMarkableReference<>("a", false);
    private final AtomicReference<String> name = new AtomicReference<>("a");
    private final AtomicInteger tickets = new AtomicInteger();
    private volatile String owner;
    private int step;

    OneCall(boolean isFixed) {
        this.isFixed = isFixed;
    }

    private void meet() {
        Steps.done(++step);
        Steps.await(++step);
    }

    // finding: advised.OneCall.onceAbsent() stale check-then-act on a collection
    // advice: advised.OneCall.onceAbsent() putIfAbsent or computeIfAbsent (for a key that is there: replace or computeIfPresent) does in one step
    void onceAbsent() {
        if (isFixed) {
            absent.putIfAbsent("k", 1);
            meet();
        } else if (!absent.containsKey("k")) {
            meet();
            absent.put("k", 1);
        }
    }

    // finding: advised.OneCall.oncePresent() stale check-then-act on a collection
    // advice: advised.OneCall.oncePresent() (for a key that is there: replace or computeIfPresent) does in one step
    void oncePresent() {
        if (isFixed) {
            present.replace("k", 2);
            meet();
        } else if (present.containsKey("k")) {
            meet();
            present.put("k", 2);
        }
    }

    // finding: advised.OneCall.onceComputed() unrepeatable read
    // advice: advised.OneCall.onceComputed() computeIfAbsent alone, which looks at the key itself, does in one step
    // advice: advised.OneCall.onceComputed() go by what it returns, not by what get found
    void onceComputed() {
        if (isFixed) {
            computed.computeIfAbsent("k", key -> 1);
            meet();
        } else if (computed.get("k") == null) {
            meet();
            computed.computeIfAbsent("k", key -> 1);
        }
    }

    // finding: advised.OneCall.oncePolled() stale check-then-act on a collection
    // advice: advised.OneCall.oncePolled() poll alone, which returns null if there is nothing, does in one step
    void oncePolled() {
        if (isFixed) {
            queue.poll();
            meet();
        } else if (!queue.isEmpty()) {
            meet();
            queue.poll();
        }
    }

    // finding: advised.OneCall.onceOffered() stale check-then-act on a collection
    // advice: advised.OneCall.onceOffered() offer alone, which returns false if there is no room, does in one step
    void onceOffered() {
        if (isFixed) {
            bounded.offer("a");
            meet();
        } else if (bounded.remainingCapacity() > 0) {
            meet();
            bounded.offer("a");
        }
    }

    // finding: advised.OneCall.onceFirst() unrepeatable read
    // advice: advised.OneCall.onceFirst() pollFirst, which returns null if there is nothing, does in one step
    void onceFirst() {
        if (isFixed) {
            sorted.pollFirst();
            meet();
        } else {
            Integer first = sorted.first();
            meet();
            sorted.remove(first);
        }
    }

    // finding: advised.OneCall.onceColour() stale check-then-act on a collection
    // advice: advised.OneCall.onceColour() add alone, which returns false if it was there, of a Collections.synchronizedSet(..) around the EnumSet does in one step
    void onceColour() {
        if (isFixed) {
            guarded.add(Colour.RED);
            meet();
        } else if (!colours.contains(Colour.RED)) {
            meet();
            colours.add(Colour.RED);
        }
    }

    // finding: advised.OneCall.onceMarked() lost update by get and set
    // advice: advised.OneCall.onceMarked() if it is meant to be atomic: compareAndSet does in one step
    void onceMarked() {
        if (isFixed) {
            marked.compareAndSet("b", "c", false, true);
            meet();
        } else if (marked.getReference().equals("a")) {
            meet();
            marked.set("c", true);
        }
    }

    // finding: advised.OneCall.onceNamed() lost update by get and set
    // advice: advised.OneCall.onceNamed() if it is meant to be atomic: updateAndGet, getAndSet or compareAndSet does in one step
    void onceNamed() {
        if (isFixed) {
            name.getAndSet("c");
            meet();
        } else {
            String seen = name.get();
            meet();
            name.set(seen + "c");
        }
    }

    // finding: advised.OneCall.onceOwned() lost update by get and set
    // advice: advised.OneCall.onceOwned() if it is meant to be atomic: getAndSet or compareAndSet does in one step
    void onceOwned() {
        if (isFixed) {
            OWNER.compareAndSet(this, null, "first");
            meet();
        } else if (OWNER.getVolatile(this) == null) {
            meet();
            OWNER.setVolatile(this, "first");
        }
    }

    // finding: advised.OneCall.onceTicket() overwritten write
    // advice: advised.OneCall.onceTicket() use what incrementAndGet returned at
    int onceTicket() {
        int mine = tickets.incrementAndGet();
        meet();
        return isFixed ? mine : tickets.get();
    }

    // finding: advised.OneCall.onceTwice() unrepeatable read
    // advice: advised.OneCall.onceTwice() keep what get returned at
    boolean onceTwice() {
        int seen = tickets.get();
        meet();
        return isFixed ? seen > 0 : tickets.get() > 0;
    }

    public static void main(String[] args) throws InterruptedException {
        OneCall p = new OneCall(args.length > 0);
        List<Runnable> methods = List.of(p::onceAbsent, p::oncePresent, p::onceComputed, p::oncePolled, p::onceOffered, p::onceFirst, p::onceColour,
            p::onceMarked, p::onceNamed, p::onceOwned, p::onceTicket, p::onceTwice);
        List<Runnable> others = List.of(() -> p.absent.put("k", 2), () -> p.present.put("k", 3), () -> p.computed.put("k", 2), () -> p.queue.poll(),
            () -> p.bounded.offer("b"), () -> p.sorted.remove(1), () -> p.colours.add(Colour.RED), () -> p.marked.set("b", false),
            () -> p.name.set("b"), () -> p.owner = "second", () -> p.tickets.incrementAndGet(), () -> p.tickets.incrementAndGet());
        Steps.run(() -> methods.forEach(Runnable::run), () -> {
            for (int i = 0; i < others.size(); i++) {
                Steps.await(2 * i + 1);
                others.get(i).run();
                Steps.done(2 * i + 2);
            }
        });
        System.out.println("done");
    }
}
