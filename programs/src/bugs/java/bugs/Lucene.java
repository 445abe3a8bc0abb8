package bugs;

import org.apache.lucene.analysis.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.FieldCache;
import org.apache.lucene.store.RAMDirectory;

/** LUCENE-754: the cache of values is looked up under its lock, and filled under its lock, but not under one of both. */
@SuppressWarnings("deprecation")
public final class Lucene {
    private Lucene() {
    }

    public static void main(String[] args) throws Exception {
        RAMDirectory directory = new RAMDirectory();
        IndexWriter writer = new IndexWriter(directory, new WhitespaceAnalyzer(), true);
        Document document = new Document();
        document.add(new Field("number", "7", Field.Store.NO, Field.Index.UN_TOKENIZED));
        writer.addDocument(document);
        writer.close();
        IndexReader reader = IndexReader.open(directory);
        Luck.run(() -> FieldCache.DEFAULT.getInts(reader, "number"), () -> FieldCache.DEFAULT.getInts(reader, "number"));
    }
}
