/** What libraries of ours that the program uses call, those for test frameworks: by reflection, so that they work without the agent. Uses all rooms. */
package dev.regiontrack.runtime.api;
