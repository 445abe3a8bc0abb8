package loose;

import org.jfree.chart.axis.PeriodAxis;
import org.jfree.data.Range;
import org.jfree.data.time.Day;

/** The first and the last period of an axis are set by one thread and read by the other one. */
public final class Axis {
    private Axis() {
    }

    public static void main(String[] args) throws Exception {
        PeriodAxis axis = new PeriodAxis("days", new Day(1, 1, 2000), new Day(2, 1, 2000));
        double start = new Day(1, 1, 2000).getFirstMillisecond();
        double year = 366.0 * 24 * 60 * 60 * 1000;
        Both.run(1000, round -> axis.getRange(), round -> {
            double from = start + round % 2 * year;
            axis.setRange(new Range(from, from + year), false, false);
        });
    }
}
