package stock;

/** What the shop knows of the stock. */
public interface Stock {
    /** Takes one, if there is one; runs this between the look and the taking. */
    boolean take(Runnable between);

    /** How many there are. */
    int size();
}
