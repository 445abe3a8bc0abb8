import dev.regiontrack.check.Dump;
import dev.regiontrack.check.Turns;

/** Threads whose reads are tentative for a while, and others that come in between; prints the items of each step. */
public class Tentative {
    int x;
    int y;
    int z;

    /** A block of its own. */
    static void block(Runnable part) {
        part.run();
    }

    /** What the thread accesses from now on, others do not know. */
    private static void nothing() {
        block(() -> { });
    }

    public static void main(String[] args) throws Exception {
        Turns one = new Turns().start();
        Turns two = new Turns().start();
        Tentative first = new Tentative();
        for (Turns each : new Turns[] {one, two}) {
            each.does(() -> first.x = 1);
            each.does(Tentative::nothing);
        }
        first.x = 1;
        Dump.next("the beginning");

        Turns.show("nobody comes: no item, whatever comes of the round", new Tentative(), o -> {
            one.does(() -> { Turns.begin(); Turns.use(o.x + o.y); Turns.used(); });
            one.does(() -> { Turns.begin(); Turns.use(o.x + o.y); Turns.again(); });
            one.does(() -> { Turns.begin(); Turns.use(o.x + o.y); Turns.begin(); Turns.use(o.x + o.y); Turns.again(); });
        });

        for (boolean isUsed : new boolean[] {true, false}) {
            String end = isUsed ? ", and is used" : ", and is withdrawn";
            Runnable settle = isUsed ? Turns::used : Turns::again;

            Tentative o = new Tentative();
            one.does(() -> { Turns.begin(); Turns.use(o.x + o.y); });
            o.x = 1;
            Dump.next("another thread writes over one of two reads: a conditional dependency");
            one.does(settle);
            Dump.next("the round is settled" + end);
            o.y = 1;
            Dump.next("who comes after the round, which was overtaken" + end);

            Tentative p = new Tentative();
            one.does(() -> { nothing(); Turns.begin(); Turns.use(p.x); settle.run(); });
            p.x = 1;
            Dump.next("who comes after the round, which was not overtaken" + end);

            Tentative q = new Tentative();
            q.x = 1;
            one.does(() -> { nothing(); Turns.use(q.y); Turns.use(q.z); Turns.begin(); Turns.use(q.y); Turns.use(q.x); Turns.use(q.y); });
            Dump.next("a read of what another thread has written is no item yet");
            q.y = 2;
            Dump.next("it starts a segment: the same thread reads another variable on both sides of it, and before the round");
            one.does(settle);
            Dump.next("the round has followed a write" + end);
            q.z = 2;
            Dump.next("what the thread has read before the round" + end);

            Tentative r = new Tentative();
            r.x = 1;
            one.does(() -> { nothing(); Turns.use(r.y); Turns.use(r.x); Turns.begin(); Turns.use(r.y); settle.run(); });
            r.y = 2;
            Dump.next("who comes after a round, not overtaken, that has read again in another segment" + end);

            Tentative s = new Tentative();
            two.does(() -> Turns.use(s.x));
            one.does(() -> { Turns.begin(); Turns.use(s.x); });
            s.x = 1;
            Dump.next("a second reader is tentative");
            one.does(settle);
            Dump.next("the second reader" + end);

            Tentative u = new Tentative();
            one.does(() -> { Turns.begin(); Turns.use(u.x); });
            two.does(() -> { nothing(); Turns.use(u.x); });
            one.does(settle);
            u.x = 1;
            Dump.next("the first of two readers was tentative" + end);

            Tentative v = new Tentative();
            two.does(() -> { nothing(); Turns.begin(); Turns.use(v.x); });
            one.does(() -> { nothing(); Turns.begin(); Turns.use(v.x); settle.run(); });
            v.x = 1;
            Dump.next("both readers are tentative, and the second one" + end);
            two.does(Turns::again);
            Dump.next("the first one is withdrawn");

            Tentative w = new Tentative();
            one.does(() -> block(() -> { Turns.begin(); Turns.use(w.x); settle.run(); }));
            w.x = 1;
            Dump.next("in a block that has ended" + end);
        }

        Turns.show("a block ends of which the round has read one variable", new Tentative(), o -> {
            one.does(() -> { nothing(); Turns.begin(); block(() -> Turns.use(o.x)); });
            o.x = 1;
        });
        one.does(Turns::again);
        Dump.next("it was still open");
        Turns.show("a block ends of which the round has read two variables: they are events", new Tentative(), o -> {
            one.does(() -> { nothing(); Turns.begin(); block(() -> Turns.use(o.x + o.y)); Turns.again(); });
            o.x = 1;
        });
        Turns.show("two blocks of one variable each, in a block that goes on", new Tentative(), o -> {
            Runnable both = () -> { block(() -> Turns.use(o.x)); block(() -> Turns.use(o.y)); };
            one.does(() -> block(() -> { Turns.begin(); block(both); Turns.again(); }));
            o.x = 1;
        });
        Turns.show("a block ends in which the round has begun: its read is an event", new Tentative(), o -> {
            one.does(() -> { block(() -> { Turns.begin(); Turns.use(o.x); }); Turns.again(); });
            o.x = 1;
        });
        Turns.show("a read in an open block that has followed a write has that block", new Tentative(), o -> {
            o.x = 1;
            one.does(() -> { Turns.begin(); block(() -> { Turns.use(o.x); Turns.used(); }); });
        });
        Turns.show("a read before a block has not that block, although the round is used in it", new Tentative(), o -> {
            block(() -> o.x = 1);
            one.does(() -> { Turns.begin(); Turns.use(o.x); block(() -> { Turns.use(o.y); Turns.used(); }); });
        });
        Turns.show("the next round has no part in what a withdrawn one has left among several readers", new Tentative(), o -> {
            two.does(() -> { nothing(); Turns.use(o.x); });
            one.does(() -> { Turns.begin(); Turns.use(o.x); Turns.again(); Turns.begin(); Turns.use(o.y); });
            o.x = 1;
        });
        one.does(Turns::again);
        for (boolean isUsed : new boolean[] {true, false}) {
            Runnable settle = isUsed ? Turns::used : Turns::again;
            String end = isUsed ? ", and is used" : ", and is withdrawn";
            Turns.show("the block that has begun before the round is open, and has read one of its variables" + end, new Tentative(), o -> {
                one.does(() -> block(() -> {
                    Turns.use(o.y);
                    two.does(() -> block(() -> o.x = 1));
                    Turns.use(o.x);
                    Turns.begin();
                    Turns.use(o.y);
                    Turns.use(o.z);
                    two.does(() -> block(() -> { o.y = 1; o.z = 1; }));
                    settle.run();
                }));
            });
            Turns.show("a round has read a variable twice, on both sides of what it follows" + end, new Tentative(), o -> {
                one.does(() -> {
                    nothing();
                    Turns.use(o.y);
                    two.does(() -> block(() -> { o.x = 1; o.z = 1; }));
                    Turns.use(o.x);
                    Turns.begin();
                    Turns.use(o.y);
                    two.does(() -> block(() -> o.z = 1));
                    Turns.use(o.z);
                    Turns.use(o.y);
                    two.does(() -> o.y = 1);
                    settle.run();
                });
            });
            Turns.show("a round that nobody overtakes has read a variable twice, on both sides of what it follows" + end, new Tentative(), o -> {
                one.does(() -> {
                    nothing();
                    Turns.use(o.y);
                    two.does(() -> block(() -> { o.x = 1; o.z = 1; }));
                    Turns.use(o.x);
                    Turns.begin();
                    Turns.use(o.y);
                    two.does(() -> block(() -> o.z = 1));
                    Turns.use(o.z);
                    Turns.use(o.y);
                    settle.run();
                });
                two.does(() -> o.y = 1);
            });
        }
        Turns.show("a write settles the round", new Tentative(), o -> {
            one.does(() -> { nothing(); Turns.begin(); Turns.use(o.x); o.y = 1; Turns.again(); });
            o.x = 1;
        });
        Turns.show("a lock settles the round", new Tentative(), o -> {
            one.does(() -> {
                nothing();
                Turns.begin();
                Turns.use(o.x);
                synchronized (o) {
                    Turns.use(o.x);
                }
                Turns.again();
            });
            o.x = 1;
        });
        for (int n = 64; n <= 65; n++) {
            Object[] many = new Object[n];
            one.does(() -> {
                nothing();
                Turns.begin();
                for (Object each : many) {
                    Turns.use(each == null ? 0 : 1);
                }
            });
            many[0] = many;
            Dump.next(n + " reads, of which the first is overtaken");
            one.does(Turns::used);
            Dump.next("they are used");
        }
        Tentative last = new Tentative();
        two.does(() -> { nothing(); Turns.begin(); Turns.use(last.x); });
        two.end();
        last.x = 1;
        Dump.next("the end of a thread settles its round");
    }
}
