package loose;

import org.apache.logging.log4j.core.pattern.DatePatternConverter;
import org.apache.logging.log4j.core.time.MutableInstant;

/** Issue 1490: both threads format times, each its own. */
public final class Dates {
    private Dates() {
    }

    public static void main(String[] args) throws Exception {
        System.setProperty("log4j2.enableThreadlocals", "false");
        System.setProperty("log4j2.enable.threadlocals", "false");
        DatePatternConverter converter = DatePatternConverter.newInstance(new String[] {"HH:mm:ss", "UTC"});
        Both.run(1000, round -> format(converter, 2 * round), round -> format(converter, 2 * round + 1));
    }

    private static void format(DatePatternConverter converter, long second) {
        MutableInstant time = new MutableInstant();
        time.initFromEpochSecond(second, 0);
        converter.format(time, new StringBuilder());
    }
}
