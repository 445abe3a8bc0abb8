package programs;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.SplittableRandom;
import org.apache.poi.hssf.usermodel.HSSFWorkbook;
import org.apache.poi.ss.usermodel.Cell;
import org.apache.poi.ss.usermodel.FormulaEvaluator;
import org.apache.poi.ss.usermodel.Row;
import org.apache.poi.ss.usermodel.Sheet;
import org.apache.poi.ss.usermodel.Workbook;

/** POI: threads that write spreadsheets, read them again and evaluate their formulas. */
public final class Poi {
    private Poi() {
    }

    /** The arguments are threads and spreadsheets of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        Team.print(Integer.parseInt(arguments[0]), number -> {
            Digest digest = new Digest();
            for (int i = 0; i < size; i++) {
                try (Workbook book = new HSSFWorkbook(new ByteArrayInputStream(write(number * size + i)))) {
                    FormulaEvaluator evaluator = book.getCreationHelper().createFormulaEvaluator();
                    for (Row row : book.getSheetAt(0)) {
                        for (Cell cell : row) {
                            digest.add(evaluator.evaluate(cell).formatAsString());
                        }
                    }
                }
            }
            return digest;
        });
    }

    private static byte[] write(int seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        try (Workbook book = new HSSFWorkbook()) {
            Sheet sheet = book.createSheet("numbers");
            for (int i = 0; i < 200; i++) {
                Row row = sheet.createRow(i);
                row.createCell(0).setCellValue(random.nextInt(1000));
                row.createCell(1).setCellValue("text " + random.nextInt(50));
                row.createCell(2).setCellFormula("A" + (i + 1) + "*2+LEN(B" + (i + 1) + ")");
                row.createCell(3).setCellFormula("IF(MOD(A" + (i + 1) + ",2)=0,SUM(A1:A" + (i % 20 + 1) + "),UPPER(B" + (i + 1) + "))");
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            book.write(bytes);
            return bytes.toByteArray();
        }
    }
}
