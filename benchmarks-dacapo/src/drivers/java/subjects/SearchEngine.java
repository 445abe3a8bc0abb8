package subjects;

import java.io.IOException;

/** A library that finds documents by their words. */
interface SearchEngine {
    /** The engine that this class is. */
    static SearchEngine of(String name) throws ReflectiveOperationException {
        return Class.forName("subjects." + name).asSubclass(SearchEngine.class).getDeclaredConstructor().newInstance();
    }

    /** Begins a new index. */
    void create() throws IOException;

    /** Adds a document; several threads do. */
    void add(int document, String text) throws IOException;

    /** Ends the index; from now on it is searched. */
    void commit() throws IOException;

    /** How many documents have one of these words, or more of them; several threads ask. */
    int count(String... words) throws IOException;
}
