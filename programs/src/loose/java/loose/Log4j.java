package loose;

import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.helpers.AppenderAttachableImpl;
import org.apache.log4j.spi.LoggingEvent;
import org.apache.log4j.varia.NullAppender;

/** Bugzilla 54325: one thread logs, the other one removes all appenders and adds one. */
public final class Log4j {
    private Log4j() {
    }

    public static void main(String[] args) throws Exception {
        AppenderAttachableImpl appenders = new AppenderAttachableImpl();
        appenders.addAppender(new NullAppender());
        LoggingEvent event = new LoggingEvent("loose.Log4j", Logger.getLogger("loose"), Level.INFO, "a message", null);
        Both.run(1000, round -> appenders.appendLoopOnAppenders(event), round -> {
            appenders.removeAllAppenders();
            appenders.addAppender(new NullAppender());
        });
    }
}
