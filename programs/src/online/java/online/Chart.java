package online;

import java.util.Calendar;

import org.jfree.data.time.RegularTimePeriod;
import org.jfree.data.time.TimeSeries;

/** A period is compared with the last one, and is then added at the end; another thread adds one in between. */
public final class Chart {
    private Chart() {
    }

    public static void main(String[] args) throws Exception {
        @SuppressWarnings("deprecation")
        TimeSeries series = new TimeSeries("series", "", "", Period.class);
        series.add(new Period(1), 1.0);
        Race.run(Race.done(() -> series.add(new Period(2), 2.0)), Race.done(() -> series.add(new Period(3), 3.0)));
        System.out.println("last: " + series.getTimePeriod(series.getItemCount() - 1));
    }

    /** A period at whose comparison the thread stops. */
    static final class Period extends RegularTimePeriod {
        private static final long serialVersionUID = 1;
        private final long index;

        Period(long index) {
            this.index = index;
        }

        @Override
        public int compareTo(Object other) {
            Race.gate();
            return Long.compare(index, ((Period) other).index);
        }

        @Override
        public RegularTimePeriod previous() {
            return new Period(index - 1);
        }

        @Override
        public RegularTimePeriod next() {
            return new Period(index + 1);
        }

        @Override
        public long getSerialIndex() {
            return index;
        }

        // Newer versions declare these two methods.
        public void peg(Calendar calendar) {
        }

        public long getFirstMillisecond() {
            return index;
        }

        public long getLastMillisecond() {
            return index;
        }

        @Override
        public long getFirstMillisecond(Calendar calendar) {
            return index;
        }

        @Override
        public long getLastMillisecond(Calendar calendar) {
            return index;
        }

        @Override
        public String toString() {
            return String.valueOf(index);
        }
    }
}
