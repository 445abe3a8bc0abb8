package com.acme.prices;

/** Prints a price. */
public final class Main {
    private Main() {
    }

    /** Prints the price of tea. */
    public static void main(String[] arguments) {
        System.out.println("tea: " + new Prices().price("tea", item -> item.length()));
    }
}
