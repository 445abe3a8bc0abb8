/** A stock behind a service; its classes are in a package that is not exported. */
module stock {
    exports stock;

    provides stock.Stock with stock.hidden.Shelf;
}
