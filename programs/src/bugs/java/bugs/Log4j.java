package bugs;

import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.helpers.AppenderAttachableImpl;
import org.apache.log4j.spi.LoggingEvent;
import org.apache.log4j.varia.NullAppender;

/** Bugzilla 54325: the list of appenders is tested and then used, and another thread can remove it in between. */
public final class Log4j {
    private Log4j() {
    }

    public static void main(String[] args) throws Exception {
        AppenderAttachableImpl appenders = new AppenderAttachableImpl();
        appenders.addAppender(new NullAppender());
        LoggingEvent event = new LoggingEvent("bugs.Log4j", Logger.getLogger("bugs"), Level.INFO, "a message", null);
        // In most programs something has been logged before.
        appenders.appendLoopOnAppenders(event);
        Luck.run(() -> appenders.appendLoopOnAppenders(event), appenders::removeAllAppenders);
    }
}
