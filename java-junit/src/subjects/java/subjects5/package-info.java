/** Tests of JUnit 5 that run under the agent. They name it only if it is what they are about. */
package subjects5;
