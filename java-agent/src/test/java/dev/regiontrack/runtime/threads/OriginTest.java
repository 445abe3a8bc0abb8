package dev.regiontrack.runtime.threads;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** How names are written in the text that says how a thread was started. Schedules show the rest. */
public class OriginTest {
    @Test
    public void names_have_no_white_space() {
        assertEquals("com.acme.Server.run:30", Origin.escaped("com.acme.Server.run:30"));
        assertEquals("Reference\\u0020Handler", Origin.escaped("Reference Handler"));
        assertEquals("a\\u005cb\\u0009c\\u00a0\u00e9", Origin.escaped("a\\b\tc\u00a0\u00e9"));
        assertEquals("-", Origin.escaped(""));
    }
}
