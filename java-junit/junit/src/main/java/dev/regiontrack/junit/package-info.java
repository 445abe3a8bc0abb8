/** What the extensions for JUnit 5 and 4 share: the agent, scopes, findings, and what becomes of a test. */
package dev.regiontrack.junit;
