/** The interface for our own libraries for test frameworks. They call it by reflection, so that they work without the agent. Uses all rooms. */
package dev.regiontrack.runtime.api;
