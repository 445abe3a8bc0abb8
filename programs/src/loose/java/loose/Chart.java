package loose;

import org.jfree.data.time.FixedMillisecond;
import org.jfree.data.time.TimeSeries;

/** Both threads add values to one series, each in the order of their time. */
public final class Chart {
    private Chart() {
    }

    public static void main(String[] args) throws Exception {
        @SuppressWarnings("deprecation")
        TimeSeries series = new TimeSeries("series", "", "", FixedMillisecond.class);
        Both.run(1000, round -> series.add(new FixedMillisecond(2 * round), 1.0), round -> series.add(new FixedMillisecond(2 * round + 1), 2.0));
    }
}
