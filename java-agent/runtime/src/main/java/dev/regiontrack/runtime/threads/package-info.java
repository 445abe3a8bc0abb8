/** Running and dead threads: numbers, fork and join, blocks, and what becomes of an event in each of the two modes. */
package dev.regiontrack.runtime.threads;
