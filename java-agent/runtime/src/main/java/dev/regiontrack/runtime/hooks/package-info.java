/** What instrumented code calls at accesses, monitors and blocks. A hook finds the variable and calls {@code protocol}; it keeps nothing. */
package dev.regiontrack.runtime.hooks;
