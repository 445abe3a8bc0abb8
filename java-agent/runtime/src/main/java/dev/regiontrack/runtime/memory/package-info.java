/** Raw memory, references by offset, and a weak table by identity. Uses no other room. */
package dev.regiontrack.runtime.memory;
