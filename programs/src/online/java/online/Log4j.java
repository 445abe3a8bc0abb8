package online;

import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.helpers.AppenderAttachableImpl;
import org.apache.log4j.spi.LoggingEvent;

/** Bugzilla 54325: the list of appenders is tested and then used, and another thread removes all of them in between. */
public final class Log4j {
    private Log4j() {
    }

    public static void main(String[] args) throws Exception {
        AppenderAttachableImpl appenders = new AppenderAttachableImpl();
        appenders.addAppender(new Stopping());
        appenders.addAppender(new Stopping());
        LoggingEvent event = new LoggingEvent("online.Log4j", Logger.getLogger("online"), Level.INFO, "a message", null);
        Race.run(() -> appenders.appendLoopOnAppenders(event), Race.done(appenders::removeAllAppenders));
    }

    /** The thread stops where an event reaches this appender. */
    private static final class Stopping extends AppenderSkeleton {
        @Override
        protected void append(LoggingEvent event) {
            Race.gate();
        }

        @Override
        public void close() {
        }

        @Override
        public boolean requiresLayout() {
            return false;
        }
    }
}
