/**
 * The code that instrumented code calls, on the boot class path. Each concern has a package, called a room. A room uses only those before it in this
 * order: {@code memory}, {@code bridge}; the core, whose rooms use each other: {@code shadows}, {@code sites}, {@code protocol}, {@code bodies},
 * {@code threads}; {@code steering}, {@code hooks}, {@code jdk}, {@code models}. The one exception is
 * {@link dev.regiontrack.runtime.threads.ThreadState}, which has a field for each room's data about a thread, so that hooks find them by one load. A
 * test checks the order.
 */
package dev.regiontrack.runtime;
