package subjects;

import java.util.BitSet;

/**
 * Threads that add documents to one index; {@code size} is the number of each. Checked: for every word, the index knows
 * as many documents as have it.
 */
final class Indexing implements Workload {
    private final SearchEngine engine;

    Indexing(String engine) throws ReflectiveOperationException {
        this.engine = SearchEngine.of(engine);
    }

    @Override
    public String run(int threads, int size) throws Exception {
        engine.create();
        Team.round("indexer", threads, number -> {
            for (int i = number * size; i < (number + 1) * size; i++) {
                engine.add(i, Texts.text(i));
            }
        });
        engine.commit();
        BitSet[] index = Texts.index(threads * size);
        long entries = 0;
        for (int word = 0; word < index.length; word++) {
            int expected = index[word].cardinality();
            WrongResult.unless(expected, engine.count(Texts.name(word)), "documents with " + Texts.name(word));
            entries += expected;
        }
        return entries + " entries of the index";
    }
}
