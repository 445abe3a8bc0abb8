/**
 * The places in the program's code that have hooks, and what is found out about each at run time: the field, the method that is called, the block. What the
 * instrumenter tells about classes is here, too.
 */
package dev.regiontrack.runtime.sites;
