/** What tests of both frameworks test. */
package shared;
