/** The start of the agent: options, the bridge, the JVM's arguments, and which transformers are installed. */
package dev.regiontrack.instrument.start;
