package bugs;

import org.jfree.chart.axis.PeriodAxis;
import org.jfree.data.Range;
import org.jfree.data.time.Day;

/** The first and the last period of an axis are set one after the other, and read one after the other. */
public final class Chart {
    private Chart() {
    }

    public static void main(String[] args) throws Exception {
        PeriodAxis axis = new PeriodAxis("days", new Day(1, 1, 2000), new Day(2, 1, 2000));
        long year = 366L * 24 * 60 * 60 * 1000;
        double start = new Day(1, 1, 2000).getFirstMillisecond();
        Luck.run(axis::getRange, () -> axis.setRange(new Range(start + year, start + 2 * year), false, false));
    }
}
