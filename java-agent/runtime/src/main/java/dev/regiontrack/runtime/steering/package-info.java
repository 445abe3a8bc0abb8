/** Makes threads wait at places that a plan names, to provoke rare interleavings: {@code provoke=}. Uses the bridge and the threads. */
package dev.regiontrack.runtime.steering;
