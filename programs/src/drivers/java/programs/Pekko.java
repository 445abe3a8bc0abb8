package programs;

import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;

/** Pekko: a ring of actors around which tokens are passed until they are used up. */
public final class Pekko {
    private static final int ACTORS = 50;

    private Pekko() {
    }

    /** The arguments are the number of tokens and of steps that each token makes. */
    public static void main(String[] arguments) throws Exception {
        int tokens = Integer.parseInt(arguments[0]);
        int steps = Integer.parseInt(arguments[1]);
        ActorSystem system = ActorSystem.create("ring");
        CompletableFuture<Long> done = new CompletableFuture<>();
        ActorRef collector = system.actorOf(Props.create(Collector.class, () -> new Collector(tokens, done)));
        ActorRef first = system.actorOf(Props.create(Node.class, () -> new Node(null, collector)));
        ActorRef next = first;
        for (int i = 1; i < ACTORS; i++) {
            ActorRef after = next;
            next = system.actorOf(Props.create(Node.class, () -> new Node(after, collector)));
        }
        first.tell(next, ActorRef.noSender());
        for (int i = 0; i < tokens; i++) {
            first.tell(new Token(steps, i), ActorRef.noSender());
        }
        System.out.println(tokens + " tokens, sum " + done.get());
        system.terminate();
        system.getWhenTerminated().toCompletableFuture().get();
    }

    private static final class Token {
        final int left;
        final long value;

        Token(int left, long value) {
            this.left = left;
            this.value = value;
        }
    }

    private static final class Node extends AbstractActor {
        private ActorRef next;
        private final ActorRef collector;

        Node(ActorRef next, ActorRef collector) {
            this.next = next;
            this.collector = collector;
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder().match(ActorRef.class, last -> next = last).match(Token.class, this::pass).build();
        }

        private void pass(Token token) {
            if (token.left == 0) {
                collector.tell(token.value, getSelf());
            } else {
                next.tell(new Token(token.left - 1, (token.value * 31 + token.left) % 1_000_003), getSelf());
            }
        }
    }

    private static final class Collector extends AbstractActor {
        private int missing;
        private long sum;
        private final CompletableFuture<Long> done;

        Collector(int missing, CompletableFuture<Long> done) {
            this.missing = missing;
            this.done = done;
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder().match(Long.class, value -> {
                sum += value;
                if (--missing == 0) {
                    done.complete(sum);
                }
            }).build();
        }
    }
}
