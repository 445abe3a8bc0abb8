/** Makes threads wait at places that a plan names, so that what seldom happens does: {@code provoke=}. Uses the bridge and the threads. */
package dev.regiontrack.runtime.steering;
