package subjects;

import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * Threads that search one index for documents with one of three words; {@code size} is the number of searches of each.
 * Checked: every search finds as many documents as there are.
 */
final class Searching implements Workload {
    private static final int MOST_DOCUMENTS = 4000;

    private final SearchEngine engine;

    Searching(String engine) throws ReflectiveOperationException {
        this.engine = SearchEngine.of(engine);
    }

    @Override
    public String run(int threads, int size) throws Exception {
        int documents = Math.min(MOST_DOCUMENTS, 50 * size);
        engine.create();
        for (int document = 0; document < documents; document++) {
            engine.add(document, Texts.text(document));
        }
        engine.commit();
        BitSet[] index = Texts.index(documents);
        long[] hits = new long[threads];
        Team.round("searcher", threads, number -> {
            SplittableRandom random = new SplittableRandom(number);
            long mine = 0;
            for (int i = 0; i < size; i++) {
                int[] words = {Texts.word(random), Texts.word(random), Texts.word(random)};
                BitSet expected = new BitSet();
                String[] names = new String[words.length];
                for (int k = 0; k < words.length; k++) {
                    expected.or(index[words[k]]);
                    names[k] = Texts.name(words[k]);
                }
                int found = engine.count(names);
                WrongResult.unless(expected.cardinality(), found, "documents with " + String.join(", ", names));
                mine += found;
            }
            hits[number] = mine;
        });
        long sum = 0;
        for (long mine : hits) {
            sum += mine;
        }
        return sum + " hits";
    }
}
