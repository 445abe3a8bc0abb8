package programs;

import java.io.ByteArrayOutputStream;
import java.util.SplittableRandom;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.text.PDFTextStripper;

/** PDFBox: threads that write documents and read their text again. */
public final class PdfBox {
    private PdfBox() {
    }

    /** The arguments are threads and documents of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        Team.print(Integer.parseInt(arguments[0]), number -> {
            Digest digest = new Digest();
            for (int i = 0; i < size; i++) {
                try (PDDocument document = PDDocument.load(write(number * size + i))) {
                    digest.add(new PDFTextStripper().getText(document));
                }
            }
            return digest;
        });
    }

    private static byte[] write(int seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        try (PDDocument document = new PDDocument()) {
            for (int i = 0; i < 5; i++) {
                PDPage page = new PDPage();
                document.addPage(page);
                try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                    content.beginText();
                    content.setFont(i % 2 == 0 ? PDType1Font.HELVETICA : PDType1Font.TIMES_ROMAN, 10);
                    content.setLeading(12);
                    content.newLineAtOffset(40, 740);
                    for (int line = 0; line < 50; line++) {
                        content.showText("page " + i + " line " + line + ": " + Long.toString(random.nextLong(), 36));
                        content.newLine();
                    }
                    content.endText();
                }
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            document.save(bytes);
            return bytes.toByteArray();
        }
    }
}
