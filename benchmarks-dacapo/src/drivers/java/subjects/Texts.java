package subjects;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;

/** Generated documents: words of a vocabulary in which low numbers are frequent. A document's number determines its words. */
final class Texts {
    private static final int VOCABULARY = 4000;
    private static final int LENGTH = 60;

    private Texts() {
    }

    /** The text of a document. */
    static String text(int document) {
        StringBuilder text = new StringBuilder();
        for (int word : words(document)) {
            text.append(name(word)).append(' ');
        }
        return text.toString();
    }

    /** How a word is written. */
    static String name(int word) {
        return "w" + word;
    }

    /** A word for a query. */
    static int word(SplittableRandom random) {
        return random.nextInt(1 + random.nextInt(VOCABULARY));
    }

    private static int[] words(int document) {
        SplittableRandom random = new SplittableRandom(document);
        return random.ints(LENGTH, 0, VOCABULARY).map(most -> random.nextInt(1 + most)).toArray();
    }

    /** An index of the first documents without any library: which of them have each word. */
    static BitSet[] index(int documents) {
        BitSet[] index = new BitSet[VOCABULARY];
        Arrays.setAll(index, word -> new BitSet());
        for (int document = 0; document < documents; document++) {
            for (int word : words(document)) {
                index[word].set(document);
            }
        }
        return index;
    }
}
