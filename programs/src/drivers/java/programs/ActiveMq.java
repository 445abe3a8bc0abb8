package programs;

import java.util.concurrent.atomic.AtomicLong;
import javax.jms.Connection;
import javax.jms.MessageConsumer;
import javax.jms.MessageProducer;
import javax.jms.Queue;
import javax.jms.Session;
import javax.jms.TextMessage;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.broker.BrokerService;

/** An ActiveMQ broker, producers and consumers over TCP on loopback. */
public final class ActiveMq {
    private ActiveMq() {
    }

    /** The arguments are pairs of a producer and a consumer, and messages of each. */
    public static void main(String[] arguments) throws Exception {
        int pairs = Integer.parseInt(arguments[0]);
        int size = Integer.parseInt(arguments[1]);
        BrokerService broker = new BrokerService();
        broker.setPersistent(false);
        broker.setUseJmx(false);
        broker.setUseShutdownHook(false);
        String address = broker.addConnector("tcp://127.0.0.1:0").getPublishableConnectString();
        broker.start();
        ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(address);
        AtomicLong sum = new AtomicLong();
        Team.print(2 * pairs, number -> {
            Connection connection = factory.createConnection();
            try {
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                connection.start();
                Queue queue = session.createQueue("work");
                return number % 2 == 0 ? produce(session, queue, number, size) : consume(session, queue, sum, size);
            } finally {
                connection.close();
            }
        });
        System.out.println("sum " + sum);
        broker.stop();
    }

    private static Object produce(Session session, Queue queue, int number, int size) throws Exception {
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < size; i++) {
            TextMessage message = session.createTextMessage("message " + i + " of " + number);
            message.setIntProperty("number", number * size + i);
            producer.send(message);
        }
        return size + " sent";
    }

    private static Object consume(Session session, Queue queue, AtomicLong sum, int size) throws Exception {
        MessageConsumer consumer = session.createConsumer(queue);
        for (int i = 0; i < size; i++) {
            TextMessage message = (TextMessage) consumer.receive();
            sum.addAndGet(message.getIntProperty("number") + message.getText().length());
        }
        return size + " received";
    }
}
