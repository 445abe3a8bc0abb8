package subjects;

import java.io.IOException;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.RAMDirectory;

/** Lucene 2: release 2.4, as in DaCapo 9.12. */
final class Lucene2 implements SearchEngine {
    private RAMDirectory directory;
    private IndexWriter writer;
    private IndexSearcher searcher;

    @Override
    public void create() throws IOException {
        directory = new RAMDirectory();
        writer = new IndexWriter(directory, new StandardAnalyzer(), true, IndexWriter.MaxFieldLength.UNLIMITED);
        writer.setMaxBufferedDocs(500);
    }

    @Override
    public void add(int document, String text) throws IOException {
        Document added = new Document();
        added.add(new Field("id", String.valueOf(document), Field.Store.YES, Field.Index.NOT_ANALYZED));
        added.add(new Field("text", text, Field.Store.NO, Field.Index.ANALYZED));
        writer.addDocument(added);
    }

    @Override
    public void commit() throws IOException {
        writer.optimize();
        writer.close();
        searcher = new IndexSearcher(directory);
    }

    @Override
    public int count(String... words) throws IOException {
        BooleanQuery query = new BooleanQuery();
        for (String word : words) {
            query.add(new TermQuery(new Term("text", word)), BooleanClause.Occur.SHOULD);
        }
        return searcher.search(query, null, 10).totalHits;
    }
}
