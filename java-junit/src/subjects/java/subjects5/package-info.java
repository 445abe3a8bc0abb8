/** Tests of JUnit 5 that are run under the agent. Nothing in them names it but what they are about. */
package subjects5;
