package dev.regiontrack;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.io.DataInputStream;
import org.junit.Test;

/** The check whether the JVM is new enough. */
public class PremainTest {
    @Test
    public void a_jvm_before_java_11_is_refused_in_one_line_that_says_what_to_do() {
        for (String version : new String[] {"1.8", "9", "10"}) {
            assertEquals("this JVM is of Java " + version + ", which is too old; run the program on Java 11 or newer", Premain.refusal(version));
        }
    }

    @Test
    public void a_jvm_from_java_11_on_is_not_refused() {
        for (String version : new String[] {"11", "17", "21", "25", "26"}) {
            assertNull(version, Premain.refusal(version));
        }
    }

    @Test
    public void java_8_can_load_the_class_that_refuses_it() throws Exception {
        try (DataInputStream in = new DataInputStream(Premain.class.getResourceAsStream("Premain.class"))) {
            assertEquals(0xcafebabe, in.readInt());
            in.readUnsignedShort();
            assertEquals("class file version", 52, in.readUnsignedShort());
        }
        // The check uses no other class of the jar, because those are compiled for Java 11.
        assertEquals(0, Premain.class.getDeclaredClasses().length);
    }
}
