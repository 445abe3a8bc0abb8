/**
 * The stamp protocol on one variable or monitor: all code that reads or changes {@code W} and {@code R}. Uses {@code shadows} and {@code sites}, and
 * informs {@code threads} of what is recorded; knows nothing of hooks and models.
 */
package dev.regiontrack.runtime.protocol;
