package online;

import org.apache.lucene.analysis.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.FieldCache;
import org.apache.lucene.store.RAMDirectory;

/** LUCENE-754: the cache of values is looked up under its lock, and filled under its lock, but not under one of both. */
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
        IndexReader reader = IndexReader.open(directory);
        int[][] found = new int[2][];
        FieldCache.IntParser parser = text -> {
            Race.gate();
            return Integer.parseInt(text);
        };
        Race.run(Race.done(() -> found[0] = FieldCache.DEFAULT.getInts(reader, "number", parser)),
            Race.done(() -> found[1] = FieldCache.DEFAULT.getInts(reader, "number", parser)));
        System.out.println("computed once: " + (found[0] == found[1]));
    }
}
