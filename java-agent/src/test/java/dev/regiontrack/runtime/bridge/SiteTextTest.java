package dev.regiontrack.runtime.bridge;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** Texts of sites with lines and with indices. */
public class SiteTextTest {
    @Test
    public void a_site_has_a_line_or_an_index() {
        for (String position : new String[] {"0", "1", "65535", "@0", "@17", "@65534"}) {
            int line = SiteText.line(position);
            assertEquals(position, SiteText.position(line));
            assertEquals("read\ta.B\tc\t()V\tB.java\t" + position + "\ta.B.x", SiteText.of("read", "a.B", "c", "()V", "B.java", line, "a.B.x"));
        }
        assertEquals(SiteText.atIndex(17), SiteText.line("@17"));
    }

    @Test
    public void parameters_are_named_as_in_sources() {
        assertEquals("", SiteText.parameters("()V"));
        assertEquals("int", SiteText.parameters("(I)Ljava/lang/String;"));
        assertEquals("byte,char,double,float,int,long,short,boolean", SiteText.parameters("(BCDFIJSZ)V"));
        assertEquals("java.lang.String[][],a.B$C,int[]", SiteText.parameters("([[Ljava/lang/String;La/B$C;[I)[I"));
    }
}
