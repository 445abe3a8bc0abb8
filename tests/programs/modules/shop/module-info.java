/** The application: a modular program that uses a service. */
module shop {
    requires stock;

    uses stock.Stock;
}
