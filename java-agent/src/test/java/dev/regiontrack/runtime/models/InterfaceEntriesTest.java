package dev.regiontrack.runtime.models;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import dev.regiontrack.Tables;
import org.junit.Before;
import org.junit.Test;

/** Which of several entries for interfaces applies. Here an entry for {@code Above} is a read, one for {@code First} a write, and one for {@code Second} reads a key. */
public class InterfaceEntriesTest {
    interface Above {
    }

    interface First extends Above {
    }

    interface Second {
    }

    interface Third {
    }

    static class OfSecond implements Second {
    }

    static class OfFirst implements First {
    }

    static class OfBoth implements First, Second {
    }

    static class OfBothInReverse implements Second, First {
    }

    static class BelowSecond extends OfSecond implements First {
    }

    static class BelowFirst extends OfFirst implements Third, Second {
    }

    static class Below extends OfFirst {
    }

    @Before
    public void take_a_table() {
        String at = "class " + InterfaceEntriesTest.class.getName();
        Tables.load(at + "$Above\nread all above\n" + at + "$First\nwrite all both\n" + at + "$Second\nkey-read all both above");
    }

    private static void assertEffect(Class<?> type, String method, Effect.Kind kind, Effect.Part part) {
        Effect found = ModelTable.ofInterfaces(type, method, 1);
        assertEquals(type + " " + method, kind, found.kind);
        assertEquals(type + " " + method, part, found.part);
    }

    @Test
    public void the_interface_that_a_class_names_first_wins() {
        assertEffect(OfBoth.class, "both", Effect.Kind.WRITE, Effect.Part.WHOLE);
        assertEffect(OfBothInReverse.class, "both", Effect.Kind.READ, Effect.Part.KEY);
    }

    @Test
    public void an_interface_wins_over_those_that_it_extends_and_these_over_the_next() {
        assertEffect(OfFirst.class, "all", Effect.Kind.WRITE, Effect.Part.WHOLE);
        assertEffect(OfBoth.class, "above", Effect.Kind.READ, Effect.Part.WHOLE);
        assertEffect(OfBothInReverse.class, "above", Effect.Kind.READ, Effect.Part.KEY);
    }

    @Test
    public void interfaces_of_a_class_win_over_those_of_its_superclass() {
        assertEffect(BelowSecond.class, "both", Effect.Kind.WRITE, Effect.Part.WHOLE);
        assertEffect(BelowFirst.class, "both", Effect.Kind.READ, Effect.Part.KEY);
        assertEffect(Below.class, "both", Effect.Kind.WRITE, Effect.Part.WHOLE);
    }

    @Test
    public void a_library_is_what_has_the_first_parts_of_its_names_in_common() {
        Tables.load("", "class com.example.first.a.Cache com.example.second.Map\nread get\n", "");
        assertTrue(ModelTable.isOfLibrary("com.example.first.b.Other"));
        assertTrue(ModelTable.isOfLibrary("com.example.second.Map$Entry"));
        assertFalse(ModelTable.isOfLibrary("com.example.firsts.a.Cache"));
        assertFalse(ModelTable.isOfLibrary("com.example.third.Cache"));
        Tables.load("", "", "");
        assertFalse(ModelTable.isOfLibrary("com.example.first.a.Cache"));
    }

    @Test
    public void a_method_that_no_interface_names_has_no_effect_by_them() {
        assertNull(ModelTable.ofInterfaces(OfBoth.class, "other", 1));
        assertNull(ModelTable.ofInterfaces(Third.class, "all", 1));
    }
}
