package online;

import org.apache.logging.log4j.core.pattern.DatePatternConverter;
import org.apache.logging.log4j.core.time.Instant;

/** Issue 1490: a time is formatted and becomes the last one. If another thread's time has become the last one meanwhile, that is printed instead. */
public final class Dates {
    private Dates() {
    }

    public static void main(String[] args) throws Exception {
        System.setProperty("log4j2.enableThreadlocals", "false");
        System.setProperty("log4j2.enable.threadlocals", "false");
        DatePatternConverter converter = DatePatternConverter.newInstance(new String[] {"HH:mm:ss", "UTC"});
        Race.run(() -> formatted(converter, 1), () -> formatted(converter, 2));
    }

    private static String formatted(DatePatternConverter converter, long second) {
        StringBuilder into = new StringBuilder();
        converter.format(new Stopping(second), into);
        return into.toString();
    }

    /** A time that stops the thread while it is formatted. */
    private static final class Stopping implements Instant {
        private final long second;

        Stopping(long second) {
            this.second = second;
        }

        @Override
        public long getEpochSecond() {
            Race.gate();
            return second;
        }

        @Override
        public int getNanoOfSecond() {
            return 0;
        }

        @Override
        public long getEpochMillisecond() {
            return second * 1000;
        }

        @Override
        public int getNanoOfMillisecond() {
            return 0;
        }

        @Override
        public void formatTo(StringBuilder buffer) {
            buffer.append(second);
        }
    }
}
