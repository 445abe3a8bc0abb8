/** The classes that tests of both frameworks test. */
package shared;
