/** JUnit 5 and later: with this on the class path, tests need no changes. */
package dev.regiontrack.junit5;
