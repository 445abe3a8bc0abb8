package dev.regiontrack.runtime.jdk;

import dev.regiontrack.runtime.bridge.EventCodes;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.bridge.Unseen;
import dev.regiontrack.runtime.memory.WeakTable;
import dev.regiontrack.runtime.protocol.Stamp;
import dev.regiontrack.runtime.threads.ThreadState;
import java.lang.ref.WeakReference;

/**
 * What threads hand over, by identity: elements of queues, tasks, results of futures. A thread that gives something stamps it before
 * the call, one that has received it depends on that stamp after the call, if it is certain whose it was. {@code
 * analysis-core/src/protocol/handovers.rs} specifies it.
 *
 * <p>Each gift is a variable of its own, written by the giver and read by receivers, so that nothing else is ordered by it.
 */
public final class Handovers {
    /** The places of tasks of executors, of tasks of timers, of results, and of what runs when there is one. Only the first are taken away. */
    static final Place TASKS = new Place();
    static final Place TIMED = new Place();
    static final Place RESULTS = new Place();
    static final Place DEPENDENTS = new Place();
    static final Place RELAYS = new Place();
    /** How many gifts of one object in one place are kept. */
    private static final int MOST = 16;
    /** In how many places those of one object are kept, such as a constant that ends many queues. */
    private static final int MOST_PLACES = 64;
    /**
     * The agent was attached to a running program. What is there already may have been handed over before, or be so by a method that runs since before: only
     * of objects that were made since is it known who has given them.
     */
    private static final boolean IS_LATE = Session.isLate();
    private static final WeakTable TABLE = new WeakTable();

    private Handovers() {
    }

    /** Where something is handed over, such as a queue. */
    public static final class Place {
        private final WeakReference<Place> self = new WeakReference<>(this);
        /** It is a queue, in which one object can be more than once. */
        private final boolean isQueue;
        private volatile int removals;
        /** Somebody has received an object of which nobody knows who has given it, which that thread looks at next; and that is counted. */
        private boolean isUncertain;
        private boolean isCounted;

        Place() {
            this(false);
        }

        public Place(boolean isQueue) {
            this.isQueue = isQueue;
        }

        /** How often gifts were found to be gone. */
        public int removals() {
            return removals;
        }

        private synchronized void remove() {
            removals++;
        }

        /** Counts it once. */
        private void count() {
            if (isUncertain && !isCounted && isFirst()) {
                Session.unseen(Unseen.GIVERS);
            }
        }

        private synchronized boolean isFirst() {
            boolean isFirst = !isCounted;
            isCounted = true;
            return isFirst;
        }
    }

    /** The stamp of one who has given something. */
    public static final class Gift {
        private long stamp;
        private final int site;
        private final long variable;
        /** For which scope the giver worked. */
        private final int scope;
        private final Given given;
        private Gift next;
        /** Somebody depends on it. Like the stamp, guarded by the lock of {@link #given}. */
        private boolean isReceived;

        private Gift(long stamp, int site, long variable, int scope, Given given, Gift next) {
            this.stamp = stamp;
            this.site = site;
            this.variable = variable;
            this.scope = scope;
            this.given = given;
            this.next = next;
        }

        /**
         * The call has returned, and something has come before it since the gift was stamped: that comes before who receives it from now on, because the
         * call is one event. If somebody has received it, or the same thread has given the object once more meanwhile, nothing changes.
         */
        public void again(ThreadState t) {
            t.settle();
            t.room(0);
            synchronized (given) {
                if (!isReceived && given.isLatest(this)) {
                    t.event(EventCodes.WRITE, site, 0, variable);
                    stamp = t.last();
                }
            }
        }

        /** True if it is a gift of the object of which {@link Handovers#given} has found this. */
        boolean isOf(Object found) {
            return given == found;
        }

        /** The call has returned and has given nothing. */
        public void withdraw() {
            synchronized (given) {
                given.remove(this);
            }
        }

        /** The same, unless somebody has received it: then false. */
        private boolean tryToWithdraw() {
            synchronized (given) {
                if (!isReceived) {
                    given.remove(this);
                }
                return !isReceived;
            }
        }
    }

    /** The gifts of one object, in all places. Guarded by its lock, with which nothing waits. */
    private static final class Given {
        private Node first;
        /** There were too many places: nothing is said of the object any more. */
        private boolean isForgotten;

        /** The gifts in this place; null if there are none. Places that are gone are dropped. */
        private Node at(Place place) {
            Node before = null;
            for (Node node = first; node != null; node = node.next) {
                Place found = node.place.get();
                if (found == place) {
                    return node;
                }
                if (found != null) {
                    before = node;
                } else if (before == null) {
                    first = node.next;
                } else {
                    before.next = node.next;
                }
            }
            return null;
        }

        private void add(Place place, Gift gift) {
            if (isForgotten) {
                return;
            }
            Node node = at(place);
            if (node == null) {
                int places = 0;
                for (Node n = first; n != null; n = n.next) {
                    places++;
                }
                if (places == MOST_PLACES) {
                    isForgotten = true;
                    first = null;
                    return;
                }
                node = new Node(place.self, first);
                first = node;
            }
            if (node.isForgotten || node.size == MOST) {
                node.isForgotten = true;
                node.gifts = null;
                node.size = 0;
                return;
            }
            gift.next = node.gifts;
            node.gifts = gift;
            node.size++;
        }

        private void remove(Gift gift) {
            for (Node node = first; node != null; node = node.next) {
                Gift before = null;
                for (Gift g = node.gifts; g != null; g = g.next) {
                    if (g == gift) {
                        if (before == null) {
                            node.gifts = g.next;
                        } else {
                            before.next = g.next;
                        }
                        node.size--;
                        settle(node);
                        return;
                    }
                    before = g;
                }
            }
        }

        /** True if the gift is the last one in its place. */
        private boolean isLatest(Gift gift) {
            for (Node node = first; node != null; node = node.next) {
                if (node.gifts == gift) {
                    return true;
                }
            }
            return false;
        }

        /** The latest gift of a thread in a place. */
        private Gift of(Place place, ThreadState t) {
            Node node = at(place);
            Gift g = node == null ? null : node.gifts;
            while (g != null && Stamp.thread(g.stamp) != t.number) {
                g = g.next;
            }
            return g;
        }

        private Gift source(Node node) {
            Gift source = node.gifts;
            for (Gift g = source; g != null; g = g.next) {
                if (Stamp.thread(g.stamp) != Stamp.thread(source.stamp)) {
                    return null;
                }
                // The list begins with the latest.
                source = g;
            }
            return source;
        }

        private Gift receive(Place place, boolean isTaken) {
            Node node = at(place);
            if (node == null) {
                return null;
            }
            Gift source = source(node);
            if (source != null) {
                source.isReceived = true;
            } else if (place.isQueue && (node.gifts != null || node.isForgotten)) {
                place.isUncertain = true;
            }
            if (isTaken && node.size > 0) {
                node.taken++;
                settle(node);
            }
            return source;
        }

        /** As many were taken as there are: all are gone. */
        private void settle(Node node) {
            if (node.taken >= node.size && !node.isForgotten) {
                Place place = node.place.get();
                if (place != null) {
                    place.remove();
                }
                node.gifts = null;
                Node before = null;
                for (Node n = first; n != node; n = n.next) {
                    before = n;
                }
                if (before == null) {
                    first = node.next;
                } else {
                    before.next = node.next;
                }
            }
        }
    }

    /** The gifts of an object in one place. */
    private static final class Node {
        private final WeakReference<Place> place;
        private Node next;
        /** The latest first. */
        private Gift gifts;
        private int size;
        /** How many were taken since the gifts were last known to be gone. */
        private int taken;
        private boolean isForgotten;

        Node(WeakReference<Place> place, Node next) {
            this.place = place;
            this.next = next;
        }
    }

    /** Before a call that gives an object; {@code type} is for reports. */
    public static Gift give(Object o, Place place, ThreadState t, int site, int type) {
        t.settle();
        t.room(0);
        long variable = t.ids.next(type);
        t.event(EventCodes.WRITE, site, 0, variable);
        int hash = System.identityHashCode(o);
        WeakTable.Entry e = TABLE.entry(o, hash);
        if (e == null && !IS_LATE) {
            e = TABLE.put(o, hash, new Given());
        }
        Given given = e == null ? new Given() : (Given) e.value;
        Gift gift = new Gift(t.last(), site, variable, t.scope(), given, null);
        synchronized (given) {
            given.add(place, gift);
        }
        return gift;
    }

    /** An object was made, so nobody has given it yet. */
    static void made(Object o) {
        TABLE.put(o, new Given());
    }

    /** After a call that has received an object: taken it away, or seen it in a place where nobody takes. */
    public static void receive(Object o, Place place, boolean isTaken, ThreadState t, int site) {
        follow(source((Given) TABLE.find(o), place, isTaken), false, t, site);
    }

    /** The same of what {@link #given} has found, after a call that waits for another thread to give the object, unless this one has. */
    static void receiveOf(Object given, Place place, boolean isTaken, boolean waits, ThreadState t, int site) {
        follow(source((Given) given, place, isTaken), waits, t, site);
    }

    /**
     * The same in the middle of a call that can have given something before. As the call is one event, what it sees comes before it only if nobody comes after it
     * by that: who has received it may be the one who has given what it sees. Otherwise the call has given nothing.
     */
    static void receiveInCall(Object given, Place place, ThreadState t, int site) {
        Gift source = source((Given) given, place, false);
        if (source == null || Stamp.thread(source.stamp) == t.number || source == t.followed) {
            return;
        }
        Gift gift = t.isRegistering ? (Gift) t.registered : null;
        if (gift == null || gift.tryToWithdraw()) {
            follow(source, false, t, site);
        }
    }

    /**
     * After a call that has seen an object in a place where others can take it away; {@code removals} is from its start. Without a removal since, the
     * gift that it has seen is still there.
     */
    public static void see(Object o, Place place, int removals, ThreadState t, int site) {
        Gift source = source((Given) TABLE.find(o), place, false);
        if (place.removals() == removals) {
            follow(source, false, t, site);
        }
    }

    /** What is certain to come before who has received an object, or null. */
    private static Gift source(Given given, Place place, boolean isTaken) {
        if (given == null) {
            return null;
        }
        Gift source;
        synchronized (given) {
            source = given.receive(place, isTaken);
        }
        place.count();
        return source;
    }

    private static void follow(Gift source, boolean waits, ThreadState t, int site) {
        // What the thread has followed last, it still comes after.
        if (source != null && Stamp.thread(source.stamp) != t.number && (waits || source != t.followed)) {
            t.followed = source;
            t.settle();
            if (waits) {
                t.waits();
            }
            t.room(0);
            t.depend(source.stamp, source.site);
            t.event(EventCodes.READ, site, 0, source.variable);
            t.settle();
        }
    }

    /** True if there can be something to receive. */
    public static boolean isGiven(Object o) {
        return TABLE.find(o) != null;
    }

    /** True if the thread has given the object in this place. */
    static boolean isGivenBy(ThreadState t, Object o, Place place) {
        Given given = (Given) TABLE.find(o);
        if (given == null) {
            return false;
        }
        synchronized (given) {
            return given.of(place, t) != null;
        }
    }

    /** What there can be to receive of an object, or null. */
    static Object given(Object o) {
        return TABLE.find(o);
    }

    /** For which scope who receives this in a place works: that of who has given it; 0 if nobody knows who that was. */
    static int scope(Object given, Place place) {
        Given all = (Given) given;
        synchronized (all) {
            Node node = all.at(place);
            Gift first = node == null ? null : node.gifts;
            for (Gift g = first; g != null; g = g.next) {
                if (g.scope != first.scope) {
                    return 0;
                }
            }
            return first == null ? 0 : first.scope;
        }
    }

    /** The thread's latest gift of this object is none. */
    static void withdraw(Object o, Place place, ThreadState t) {
        Given given = (Given) TABLE.find(o);
        if (given != null) {
            synchronized (given) {
                Gift gift = given.of(place, t);
                if (gift != null) {
                    given.remove(gift);
                }
            }
        }
    }
}
