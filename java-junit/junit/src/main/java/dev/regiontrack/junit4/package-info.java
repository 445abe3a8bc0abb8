/** JUnit 4: a rule and a runner. */
package dev.regiontrack.junit4;
