package programs;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.StringReader;
import java.util.Date;
import java.util.SplittableRandom;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.sax.SAXResult;
import javax.xml.transform.stream.StreamSource;
import org.apache.fop.apps.FOUserAgent;
import org.apache.fop.apps.FopFactory;

/** FOP: threads that set formatting objects as PDF, with one factory. */
public final class Fop {
    private Fop() {
    }

    /** The arguments are threads and documents of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        FopFactory factory = FopFactory.newInstance(new File(".").toURI());
        Team.print(Integer.parseInt(arguments[0]), number -> {
            long bytes = 0;
            int pages = 0;
            for (int i = 0; i < size; i++) {
                ByteArrayOutputStream document = new ByteArrayOutputStream();
                FOUserAgent agent = factory.newFOUserAgent();
                agent.setCreationDate(new Date(0));
                org.apache.fop.apps.Fop fop = factory.newFop("application/pdf", agent, document);
                TransformerFactory.newInstance().newTransformer().transform(
                    new StreamSource(new StringReader(text(number * size + i))), new SAXResult(fop.getDefaultHandler()));
                bytes += document.size();
                pages += fop.getResults().getPageCount();
            }
            return pages + " pages, " + bytes + " bytes";
        });
    }

    private static String text(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder("<fo:root xmlns:fo='http://www.w3.org/1999/XSL/Format'><fo:layout-master-set>"
            + "<fo:simple-page-master master-name='a' page-width='210mm' page-height='297mm' margin='20mm'><fo:region-body/></fo:simple-page-master>"
            + "</fo:layout-master-set><fo:page-sequence master-reference='a'><fo:flow flow-name='xsl-region-body'>");
        for (int i = 0; i < 30; i++) {
            text.append("<fo:block space-after='3mm' text-align='justify' font-size='").append(8 + random.nextInt(8)).append("pt'>");
            for (int word = 0; word < 60; word++) {
                text.append(Long.toString(random.nextLong(1L << 40), 36)).append(' ');
            }
            text.append("</fo:block>");
        }
        text.append("<fo:table table-layout='fixed' width='100%'><fo:table-body>");
        for (int i = 0; i < 20; i++) {
            text.append("<fo:table-row><fo:table-cell border='1pt solid black'><fo:block>").append(i)
                .append("</fo:block></fo:table-cell><fo:table-cell><fo:block>").append(random.nextInt()).append("</fo:block></fo:table-cell></fo:table-row>");
        }
        return text.append("</fo:table-body></fo:table></fo:flow></fo:page-sequence></fo:root>").toString();
    }
}
