/** What is watched in a class if a profile of earlier runs says what threads share, and how the variables at a place are told apart. */
package dev.regiontrack.instrument.profile;
