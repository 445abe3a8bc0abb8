package subjects;

import java.io.IOException;
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
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.store.ByteBuffersDirectory;

/** Lucene 9. */
final class Lucene9 implements SearchEngine {
    private ByteBuffersDirectory directory;
    private IndexWriter writer;
    private IndexSearcher searcher;

    @Override
    public void create() throws IOException {
        directory = new ByteBuffersDirectory();
        writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()).setMaxBufferedDocs(500));
    }

    @Override
    public void add(int document, String text) throws IOException {
        Document added = new Document();
        added.add(new StringField("id", String.valueOf(document), Field.Store.YES));
        added.add(new TextField("text", text, Field.Store.NO));
        writer.addDocument(added);
    }

    @Override
    public void commit() throws IOException {
        writer.forceMerge(1);
        writer.close();
        searcher = new IndexSearcher(DirectoryReader.open(directory));
    }

    @Override
    public int count(String... words) throws IOException {
        BooleanQuery.Builder query = new BooleanQuery.Builder();
        for (String word : words) {
            query.add(new TermQuery(new Term("text", word)), BooleanClause.Occur.SHOULD);
        }
        // Counts all hits while it scores the best ten.
        return (int) searcher.search(query.build(), new TopScoreDocCollectorManager(10, null, Integer.MAX_VALUE)).totalHits.value;
    }
}
