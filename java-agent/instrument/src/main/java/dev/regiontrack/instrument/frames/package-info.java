/** The verifier's types before an instruction, for inserted code. Uses no other room. */
package dev.regiontrack.instrument.frames;
