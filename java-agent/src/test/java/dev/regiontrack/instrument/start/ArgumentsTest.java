package dev.regiontrack.instrument.start;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** The stack size according to the JVM's arguments. */
public class ArgumentsTest {
    private static long size(String... arguments) {
        return Arguments.stackSize(arguments, "amd64");
    }

    @Test
    public void threads_get_eight_times_the_stack_that_the_jvm_would_give_them() {
        assertEquals(8 << 20, size());
        assertEquals(16 << 20, Arguments.stackSize(new String[0], "aarch64"));
        assertEquals(8 * 256 << 10, size("-Dx=-Xss1m", "-Xss256k"));
        assertEquals(8 * 300_000, size("-Xss300000"));
        assertEquals(8L << 30, size("-Xss1G"));
        assertEquals(8 * 512 << 10, size("-XX:ThreadStackSize=512"));
    }

    @Test
    public void the_last_size_holds_and_none_is_the_default() {
        assertEquals(8 * 2 << 20, size("-XX:ThreadStackSize=512", "-Xss2m"));
        assertEquals(8 << 20, size("-Xss2m", "-XX:ThreadStackSize=0"));
    }
}
