package dev.regiontrack.runtime.jdk;

import dev.regiontrack.runtime.bridge.EventCodes;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.bridge.Unseen;
import dev.regiontrack.runtime.memory.WeakTable;
import dev.regiontrack.runtime.protocol.Stamp;
import dev.regiontrack.runtime.threads.ThreadState;
import java.lang.ref.WeakReference;

/**
 * Tracks what threads hand over, by identity: elements of queues, tasks, results of futures. A giver stamps the object before the
 * call; a receiver depends on that stamp after its call, if it is certain whose stamp it was.
 * {@code analysis-core/src/protocol/handovers.rs} is the specification.
 *
 * <p>Each gift is a separate variable, written by the giver and read by receivers, so that it orders nothing else.
 */
public final class Handovers {
    /** The places of executors' tasks, of timers' tasks, of results, and of what runs once there is a result. Only the first are taken away. */
    static final Place TASKS = new Place();
    static final Place TIMED = new Place();
    static final Place RESULTS = new Place();
    static final Place DEPENDENTS = new Place();
    static final Place RELAYS = new Place();
    /** The number of gifts kept of one object in one place. */
    private static final int MOST = 16;
    /** The number of places for which an object's gifts are kept: a constant can end many queues. */
    private static final int MOST_PLACES = 64;
    /**
     * Whether the agent was attached to a running program. Objects that were there already may have been handed over before, or by a method that
     * still runs: the giver is known only for objects made since.
     */
    private static final boolean IS_LATE = Session.isLate();
    private static final WeakTable TABLE = new WeakTable();

    private Handovers() {
    }

    /** Where something is handed over, such as a queue. */
    public static final class Place {
        private final WeakReference<Place> self = new WeakReference<>(this);
        /** Whether the place is a queue, in which one object can be more than once. */
        private final boolean isQueue;
        private volatile int removals;
        /**
         * A thread has received an object whose giver is unknown. The thread checks this flag next; {@code isCounted} says whether that was
         * counted.
         */
        private boolean isUncertain;
        private boolean isCounted;

        Place() {
            this(false);
        }

        public Place(boolean isQueue) {
            this.isQueue = isQueue;
        }

        /** Returns how often gifts were found to be gone. */
        public int removals() {
            return removals;
        }

        private synchronized void remove() {
            removals++;
        }

        /** Counts an uncertain receipt, once. */
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

    /** The stamp of a thread that has given something. */
    public static final class Gift {
        private long stamp;
        private final int site;
        private final long variable;
        /** The scope for which the giver worked. */
        private final int scope;
        private final Given given;
        private Gift next;
        /** Whether a thread depends on the gift. Like the stamp, guarded by the lock of {@link #given}. */
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
         * Renews the stamp after the call has returned, if something has come before the call since the gift was stamped. Because the call is one
         * event, that precedes any thread that receives the object from now on. Nothing changes if the gift was received, or if the same thread has given the
         * object again meanwhile.
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

        /** Whether it is a gift of the object for which {@link Handovers#given} has returned {@code found}. */
        boolean isOf(Object found) {
            return given == found;
        }

        /** Removes the gift: the call has returned and has given nothing. */
        public void withdraw() {
            synchronized (given) {
                given.remove(this);
            }
        }

        /** Removes the gift, unless a thread has received it. Returns whether the gift was removed. */
        private boolean tryToWithdraw() {
            synchronized (given) {
                if (!isReceived) {
                    given.remove(this);
                }
                return !isReceived;
            }
        }
    }

    /** The gifts of one object, in all places. Guarded by its own lock, under which no thread waits. */
    private static final class Given {
        private Node first;
        /** There were too many places: the object orders nothing any more. */
        private boolean isForgotten;

        /** Returns the gifts in this place; null if there are none. Drops places that are gone. */
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
            node.giveFor(gift.scope);
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
                        node.open--;
                        settle(node);
                        return;
                    }
                    before = g;
                }
            }
        }

        /** Whether the gift is the latest one in its place. */
        private boolean isLatest(Gift gift) {
            for (Node node = first; node != null; node = node.next) {
                if (node.gifts == gift) {
                    return true;
                }
            }
            return false;
        }

        /** Returns a thread's latest gift in a place. */
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
            if (isTaken && node.open > 0) {
                node.open--;
            }
            if (isTaken && node.size > 0) {
                node.taken++;
                settle(node);
            }
            return source;
        }

        /** Drops the gifts once as many were taken as given: all are gone. */
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
        /** How many have been given and not taken, also of those that were too many to keep. */
        private int open;
        /** The scope for which the givers of these worked; 0 if for several. */
        private int scope;

        Node(WeakReference<Place> place, Node next) {
            this.place = place;
            this.next = next;
        }

        /** Notes for which scope one more is given. */
        void giveFor(int giver) {
            scope = open == 0 || scope == giver ? giver : 0;
            open++;
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

    /** Registers a new object, which no thread has given yet. */
    static void made(Object o) {
        TABLE.put(o, new Given());
    }

    /** After a call that has received an object: taken it away, or seen it in a place from which nothing is taken. */
    public static void receive(Object o, Place place, boolean isTaken, ThreadState t, int site) {
        follow(source((Given) TABLE.find(o), place, isTaken), false, t, site);
    }

    /** The same for what {@link #given} has found, after a call that, if {@code waits}, waits for another thread to give the object. */
    static void receiveOf(Object given, Place place, boolean isTaken, boolean waits, ThreadState t, int site) {
        follow(source((Given) given, place, isTaken), waits, t, site);
    }

    /**
     * The same in the middle of a call that may have given something before. The call is one event, so what it sees may precede it only if nothing
     * follows the call through its gift: the receiver of the gift may be the giver of what the call sees. So the gift is withdrawn, unless it was
     * received.
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

    /** Returns the gift that certainly precedes the receipt of an object, or null. */
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
        // The thread still comes after the gift that it followed last.
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

    /** Whether there may be something to receive. */
    public static boolean isGiven(Object o) {
        return TABLE.find(o) != null;
    }

    /** Whether the thread has given the object in this place. */
    static boolean isGivenBy(ThreadState t, Object o, Place place) {
        Given given = (Given) TABLE.find(o);
        if (given == null) {
            return false;
        }
        synchronized (given) {
            return given.of(place, t) != null;
        }
    }

    /** Returns what there may be to receive of an object, or null. */
    static Object given(Object o) {
        return TABLE.find(o);
    }

    /** Returns the scope for which a thread works that receives this in a place: the givers'; 0 if these are unknown, or worked for several. */
    static int scope(Object given, Place place) {
        Given all = (Given) given;
        synchronized (all) {
            Node node = all.at(place);
            return node == null ? 0 : node.scope;
        }
    }

    /** Withdraws the thread's latest gift of this object. */
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
