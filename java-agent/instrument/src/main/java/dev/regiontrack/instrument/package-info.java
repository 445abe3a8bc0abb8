/**
 * Rewrites classes: one package for each concern, called a room. In this order, a room uses those before it: {@code selection}, {@code frames}, {@code
 * flow}, {@code code}, {@code accesses}, {@code calls}, {@code platform}, {@code classes}, {@code start}. A test looks at that.
 */
package dev.regiontrack.instrument;
