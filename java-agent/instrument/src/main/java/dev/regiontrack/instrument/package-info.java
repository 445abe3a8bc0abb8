/**
 * Rewrites classes. Each concern has a package, called a room. A room uses only those before it in this order: {@code selection}, {@code frames},
 * {@code flow}, {@code code}, {@code accesses}, {@code calls}, {@code platform}, {@code classes}, {@code start}. A test checks that.
 */
package dev.regiontrack.instrument;
