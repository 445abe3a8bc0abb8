/** What is instrumented: classes, methods, elements of arrays. Changes no code, and uses no other room. */
package dev.regiontrack.instrument.selection;
