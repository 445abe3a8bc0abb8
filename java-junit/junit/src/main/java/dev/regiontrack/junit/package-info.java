/** What the extensions for JUnit 5 and 4 share: the agent, scopes, findings, and the result of a test. */
package dev.regiontrack.junit;
