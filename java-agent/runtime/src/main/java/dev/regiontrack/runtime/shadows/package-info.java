/** Where the state of variables is: shadows of objects and arrays, and the slots of classes. The words in them belong to {@code protocol}. */
package dev.regiontrack.runtime.shadows;
