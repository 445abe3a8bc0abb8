/** What of a class is watched where a profile of earlier runs says what threads share; and by what the variables at a place are told from others. */
package dev.regiontrack.instrument.profile;
