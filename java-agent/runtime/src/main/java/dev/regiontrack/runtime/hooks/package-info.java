/** The hooks that instrumented code calls at accesses, monitors and blocks. A hook finds the variable and calls {@code protocol}; it has no state. */
package dev.regiontrack.runtime.hooks;
