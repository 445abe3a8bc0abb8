/**
 * The interface to the analysis in Rust: decisions, the destination of records, their layout and codes, and the settings of the run. Uses {@code memory}
 * alone.
 */
package dev.regiontrack.runtime.bridge;
