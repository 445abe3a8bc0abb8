package programs;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Logback: threads that log into one file, directly and through a queue. */
public final class Logback {
    private Logback() {
    }

    /** The arguments are threads and messages of each. */
    public static void main(String[] arguments) throws Exception {
        int messages = Integer.parseInt(arguments[1]);
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        FileAppender<ILoggingEvent> direct = file(context, "direct.log");
        AsyncAppender queue = new AsyncAppender();
        queue.setContext(context);
        queue.setDiscardingThreshold(0);
        queue.addAppender(file(context, "queue.log"));
        queue.start();
        ch.qos.logback.classic.Logger root = context.getLogger("ROOT");
        root.setLevel(Level.INFO);
        root.addAppender(direct);
        root.addAppender(queue);
        Team.print(Integer.parseInt(arguments[0]), number -> {
            for (int i = 0; i < messages; i++) {
                Logger logger = context.getLogger("programs.log" + i % 20);
                MDC.put("thread", "t" + number);
                logger.info("message {} of {}", i, number);
                logger.debug("not to be seen {}", i);
            }
            return messages + " messages";
        });
        context.stop();
        for (String name : new String[] {"direct.log", "queue.log"}) {
            String[] lines = Files.readString(Path.of(name)).split("\n");
            Arrays.sort(lines);
            System.out.println(name + ": " + lines.length + " lines, " + new Digest().add(Arrays.toString(lines)));
            Files.delete(Path.of(name));
        }
    }

    private static FileAppender<ILoggingEvent> file(LoggerContext context, String name) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%level [%thread] %X{thread} %logger{10} - %msg%n");
        encoder.start();
        FileAppender<ILoggingEvent> appender = new FileAppender<>();
        appender.setContext(context);
        appender.setFile(name);
        appender.setEncoder(encoder);
        appender.start();
        return appender;
    }
}
