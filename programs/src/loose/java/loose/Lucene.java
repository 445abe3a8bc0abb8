package loose;

import org.apache.lucene.analysis.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.FieldCache;
import org.apache.lucene.store.RAMDirectory;

/** LUCENE-754: both threads ask the cache for the values of a field. */
@SuppressWarnings({"deprecation", "serial"})
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
        IndexReader[] readers = new IndexReader[200];
        for (int round = 0; round < readers.length; round++) {
            readers[round] = IndexReader.open(directory);
        }
        FieldCache.IntParser parser = Integer::parseInt;
        Both.Part ask = round -> FieldCache.DEFAULT.getInts(readers[round], "number", parser);
        Both.run(readers.length, ask, ask);
    }
}
