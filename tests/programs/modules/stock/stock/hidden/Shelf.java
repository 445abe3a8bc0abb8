package stock.hidden;

import stock.Stock;

/** Not exported, and found as a service only. */
public class Shelf implements Stock {
    private int size = 10;

    // finding: stock.hidden.Shelf.take(java.lang.Runnable) lost update
    @Override
    public boolean take(Runnable between) {
        int seen = size;
        between.run();
        size = seen - 1;
        return seen > 0;
    }

    @Override
    public int size() {
        return size;
    }
}
