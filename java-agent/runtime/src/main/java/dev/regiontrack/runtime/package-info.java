/**
 * What instrumented code calls, on the boot class path: one package for each concern, called a room. In this order, a room uses those before it: {@code
 * memory}, {@code bridge}; the core, whose rooms use each other: {@code shadows}, {@code sites}, {@code protocol}, {@code bodies}, {@code threads}; {@code
 * steering}, {@code hooks}, {@code jdk}, {@code models}. The one exception is {@link dev.regiontrack.runtime.threads.ThreadState}, which has a field for what each room keeps
 * of a thread, so that hooks find it by one load. A test looks at that.
 */
package dev.regiontrack.runtime;
