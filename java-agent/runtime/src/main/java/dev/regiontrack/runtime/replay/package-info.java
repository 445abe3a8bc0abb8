/** Makes threads pass places in the order of a schedule: {@code replay=}. Uses the room {@code steering}, which calls it. */
package dev.regiontrack.runtime.replay;
