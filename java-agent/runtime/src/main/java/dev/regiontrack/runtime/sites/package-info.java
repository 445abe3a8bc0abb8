/**
 * The places in the program's code that have hooks, and what is found out about each at run time: the field, the callee, the block. Also what the
 * instrumenter knows about classes.
 */
package dev.regiontrack.runtime.sites;
