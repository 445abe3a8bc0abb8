/** JUnit 5 and later: with this on the class path, nothing has to be written in the tests. */
package dev.regiontrack.junit5;
