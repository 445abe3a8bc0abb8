/** The verifier's types before an instruction, for code that is added. Uses no other room. */
package dev.regiontrack.instrument.frames;
