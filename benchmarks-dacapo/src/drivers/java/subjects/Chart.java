package subjects;

import com.lowagie.text.Document;
import com.lowagie.text.DocumentException;
import com.lowagie.text.Rectangle;
import com.lowagie.text.pdf.DefaultFontMapper;
import com.lowagie.text.pdf.PdfTemplate;
import com.lowagie.text.pdf.PdfWriter;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.io.ByteArrayOutputStream;
import java.util.Iterator;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.ChartRenderingInfo;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.entity.CategoryItemEntity;
import org.jfree.chart.entity.ChartEntity;
import org.jfree.chart.entity.XYItemEntity;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/**
 * JFreeChart draws {@code size} charts as PDF, lines and bars in turn, as DaCapo's chart does; here in several threads.
 * Checked: each point of a line stands where its values say, and each bar is as high.
 */
final class Chart implements Workload {
    private static final int WIDTH = 600;
    private static final int HEIGHT = 400;
    private static final int SERIES = 3;
    private static final int POINTS = 120;
    private static final int CATEGORIES = 30;
    private static final String[] ROWS = {"first", "second", "third"};

    @Override
    public String run(int threads, int size) throws Exception {
        long[] checksums = new long[size];
        Team.round("plotter", threads, number -> {
            for (int i = Team.begin(number, threads, size); i < Team.begin(number + 1, threads, size); i++) {
                checksums[i] = i % 2 == 0 ? lines(i) : bars(i);
            }
        });
        long all = 1;
        for (long checksum : checksums) {
            all = 31 * all + checksum;
        }
        return "checksum " + Long.toHexString(all);
    }

    private static long lines(int seed) throws WrongResult, DocumentException {
        SplittableRandom random = new SplittableRandom(seed);
        XYSeriesCollection data = new XYSeriesCollection();
        for (String name : ROWS) {
            XYSeries line = new XYSeries(name);
            double y = 0;
            for (int point = 0; point < POINTS; point++) {
                y += random.nextDouble() - 0.5;
                line.add(point + random.nextDouble(), y);
            }
            data.addSeries(line);
        }
        ChartRenderingInfo drawn = new ChartRenderingInfo();
        long checksum = draw(ChartFactory.createXYLineChart("Lines", "x", "y", data, PlotOrientation.VERTICAL, true, true, false), drawn);
        Linear across = new Linear();
        Linear up = new Linear();
        int points = 0;
        for (Iterator<?> entities = drawn.getEntityCollection().iterator(); entities.hasNext();) {
            Object entity = entities.next();
            if (entity instanceof XYItemEntity) {
                XYItemEntity point = (XYItemEntity) entity;
                Rectangle2D place = point.getArea().getBounds2D();
                across.add(data.getXValue(point.getSeriesIndex(), point.getItem()), place.getCenterX());
                up.add(data.getYValue(point.getSeriesIndex(), point.getItem()), place.getCenterY());
                points++;
            }
        }
        WrongResult.unless(SERIES * POINTS, points, "points");
        return checksum;
    }

    private static long bars(int seed) throws WrongResult, DocumentException {
        SplittableRandom random = new SplittableRandom(seed);
        DefaultCategoryDataset data = new DefaultCategoryDataset();
        for (String name : ROWS) {
            for (int category = 0; category < CATEGORIES; category++) {
                data.addValue(1 + random.nextDouble(9), name, Integer.valueOf(category));
            }
        }
        ChartRenderingInfo drawn = new ChartRenderingInfo();
        long checksum = draw(ChartFactory.createBarChart("Bars", "category", "value", data, PlotOrientation.VERTICAL, true, true, false), drawn);
        Linear up = new Linear();
        int bars = 0;
        for (Iterator<?> entities = drawn.getEntityCollection().iterator(); entities.hasNext();) {
            Object entity = entities.next();
            if (entity instanceof CategoryItemEntity) {
                CategoryItemEntity bar = (CategoryItemEntity) entity;
                up.add(data.getValue(bar.getSeries(), bar.getCategoryIndex()).doubleValue(), ((ChartEntity) bar).getArea().getBounds2D().getHeight());
                bars++;
            }
        }
        WrongResult.unless(SERIES * CATEGORIES, bars, "bars");
        return checksum;
    }

    /** Draws it as a page of PDF; the checksum is that of the page's operators, since the document says when it was made. */
    private static long draw(JFreeChart chart, ChartRenderingInfo drawn) throws DocumentException, WrongResult {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        Document document = new Document(new Rectangle(WIDTH, HEIGHT));
        PdfWriter writer = PdfWriter.getInstance(document, file);
        document.open();
        PdfTemplate page = writer.getDirectContent().createTemplate(WIDTH, HEIGHT);
        Graphics2D graphics = page.createGraphics(WIDTH, HEIGHT, new DefaultFontMapper());
        chart.draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, HEIGHT), drawn);
        graphics.dispose();
        CRC32 checksum = new CRC32();
        checksum.update(page.getInternalBuffer().toByteArray());
        writer.getDirectContent().addTemplate(page, 0, 0);
        document.close();
        if (file.size() < 1000) {
            throw new WrongResult("a document of " + file.size() + " bytes");
        }
        return checksum.getValue();
    }

    /** Places on paper must depend on values linearly: the first two values that differ say how. */
    private static final class Linear {
        private double firstValue;
        private double firstPlace;
        private double ratio;
        private int known;

        void add(double value, double place) throws WrongResult {
            if (known == 0) {
                firstValue = value;
                firstPlace = place;
                known = 1;
            } else if (known == 1 && Math.abs(value - firstValue) > 0.5) {
                ratio = (place - firstPlace) / (value - firstValue);
                known = 2;
            } else if (known == 2 && Math.abs(firstPlace + ratio * (value - firstValue) - place) > 0.01) {
                throw new WrongResult("value " + value + " is drawn at " + place + ", not at " + (firstPlace + ratio * (value - firstValue)));
            }
        }
    }
}
