/** Tests of JUnit 4 that are run under the agent. */
package subjects4;
