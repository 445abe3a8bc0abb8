/** The state of variables: shadows of objects and arrays, and the slots of classes. Only {@code protocol} reads and changes the words in them. */
package dev.regiontrack.runtime.shadows;
