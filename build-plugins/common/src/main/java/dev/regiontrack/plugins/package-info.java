/** What the plugins of build tools share: the agent's arguments, the reports of JVMs, the command that merges and judges them. */
package dev.regiontrack.plugins;
