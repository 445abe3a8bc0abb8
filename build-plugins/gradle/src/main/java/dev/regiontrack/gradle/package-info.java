/** RegionTrack's Gradle plugin: written for Gradle 4.4.1 to 9, so it calls nothing that one of them lacks. */
package dev.regiontrack.gradle;
