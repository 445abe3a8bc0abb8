package programs;

import java.util.SplittableRandom;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;

/** Threads that add documents through one index writer and then search what all of them added. */
public final class Lucene {
    private static final int WORDS = 2000;

    private Lucene() {
    }

    /** The arguments are threads and documents of each. */
    public static void main(String[] arguments) throws Exception {
        int threads = Integer.parseInt(arguments[0]);
        int size = Integer.parseInt(arguments[1]);
        try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
            try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()).setMaxBufferedDocs(500))) {
                Team.print(threads, number -> index(writer, number, size));
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                System.out.println(reader.numDocs() + " documents");
                Team.print(threads, number -> search(new IndexSearcher(reader), number, size));
            }
        }
    }

    private static Object index(IndexWriter writer, int number, int size) throws Exception {
        SplittableRandom random = new SplittableRandom(number);
        for (int i = 0; i < size; i++) {
            Document document = new Document();
            document.add(new StringField("id", number + "-" + i, Field.Store.YES));
            StringBuilder text = new StringBuilder();
            for (int word = 0; word < 60; word++) {
                text.append('w').append(random.nextInt(1 + random.nextInt(WORDS))).append(' ');
            }
            document.add(new TextField("text", text.toString(), Field.Store.NO));
            writer.updateDocument(new Term("id", number + "-" + i), document);
        }
        return size + " indexed";
    }

    private static Object search(IndexSearcher searcher, int number, int size) throws Exception {
        SplittableRandom random = new SplittableRandom(-number);
        long hits = 0;
        for (int i = 0; i < size; i++) {
            BooleanQuery.Builder query = new BooleanQuery.Builder();
            for (int word = 0; word < 3; word++) {
                query.add(new TermQuery(new Term("text", "w" + random.nextInt(WORDS))), BooleanClause.Occur.SHOULD);
            }
            hits += searcher.count(query.build());
            hits += searcher.search(query.build(), 10).scoreDocs.length;
        }
        return hits + " hits";
    }
}
