package dev.regiontrack.instrument;

import static org.junit.Assert.assertEquals;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Test;

/** A class loader is asked for each class of the runtime that instrumented code can call. */
public class RuntimeNamesTest {
    @Test
    public void all_has_every_class_that_has_a_name_here() throws IllegalAccessException {
        Set<String> named = new TreeSet<>();
        for (Field field : RuntimeNames.class.getDeclaredFields()) {
            if (field.getType() == String.class && Modifier.isPublic(field.getModifiers()) && !field.getName().endsWith("_TYPE")) {
                named.add((String) field.get(null));
            }
        }
        assertEquals(named, new TreeSet<>(RuntimeNames.ALL));
    }
}
