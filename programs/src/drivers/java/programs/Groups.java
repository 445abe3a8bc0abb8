package programs;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.ObjectMessage;
import org.jgroups.Receiver;
import org.jgroups.protocols.FRAG2;
import org.jgroups.protocols.LOCAL_PING;
import org.jgroups.protocols.SHARED_LOOPBACK;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;

/** JGroups: members of a cluster in one JVM that send each other messages. */
public final class Groups {
    private Groups() {
    }

    /** The arguments are the number of members and of messages that each of them sends to all. */
    public static void main(String[] arguments) throws Exception {
        int members = Integer.parseInt(arguments[0]);
        int size = Integer.parseInt(arguments[1]);
        CountDownLatch all = new CountDownLatch(members * members * size);
        AtomicLong sum = new AtomicLong();
        JChannel[] channels = new JChannel[members];
        for (int i = 0; i < members; i++) {
            channels[i] = new JChannel(new SHARED_LOOPBACK(), new LOCAL_PING(), new NAKACK2(), new UNICAST3(), new STABLE(), new GMS().printLocalAddress(false), new FRAG2());
            channels[i].setReceiver(new Receiver() {
                @Override
                public void receive(Message message) {
                    sum.addAndGet((Integer) message.getObject());
                    all.countDown();
                }
            });
            channels[i].connect("programs");
        }
        Team.print(members, number -> {
            for (int i = 0; i < size; i++) {
                channels[number].send(new ObjectMessage(null, number * size + i));
            }
            return size + " sent";
        });
        all.await();
        System.out.println("sum " + sum);
        for (JChannel channel : channels) {
            channel.close();
        }
    }
}
