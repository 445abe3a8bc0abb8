/**
 * Calls of the platform's library that have a model: the table, the variables of receivers, and a class for each kind of operation. Uses all other
 * rooms; a new model changes nothing outside.
 */
package dev.regiontrack.runtime.models;
