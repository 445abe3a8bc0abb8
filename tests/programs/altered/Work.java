package altered;

/** What two threads do. */
interface Work {
    void first();

    void second();
}
