/** Which of its two bodies a call runs, where a part of the run or classes of the platform are watched. */
package dev.regiontrack.runtime.bodies;
