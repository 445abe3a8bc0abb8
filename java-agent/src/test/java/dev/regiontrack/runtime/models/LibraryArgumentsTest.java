package dev.regiontrack.runtime.models;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.EnumBiMap;
import com.google.common.collect.EnumHashBiMap;
import com.google.common.collect.EnumMultiset;
import com.google.common.collect.EvictingQueue;
import com.google.common.collect.HashBiMap;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.Range;
import com.google.common.collect.TreeMultiset;
import com.google.common.collect.TreeRangeMap;
import com.google.common.collect.TreeRangeSet;
import java.math.BigDecimal;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** With which arguments calls of Guava's collections do nothing. Programs show the other cases. */
public class LibraryArgumentsTest {
    @Test
    public void a_multiset_of_an_enum_looks_for_its_constants_alone() {
        EnumMultiset<TimeUnit> units = EnumMultiset.create(TimeUnit.class);
        assertEquals(Idle.LIBRARY_KEY, LibraryArguments.of(units.getClass(), "count/1"));
        assertTrue(LibraryArguments.canBeKey(units, TimeUnit.DAYS));
        for (Object argument : new Object[] {"DAYS", Thread.State.NEW, null}) {
            assertFalse(LibraryArguments.canBeKey(units, argument));
        }
        assertNull(LibraryArguments.of(HashMultiset.class, "count/1"));
    }

    @Test
    public void a_map_of_enums_that_has_an_inverse_looks_for_its_constants_alone() {
        EnumBiMap<TimeUnit, Thread.State> enums = EnumBiMap.create(TimeUnit.class, Thread.State.class);
        assertTrue(LibraryArguments.canBeKey(enums, TimeUnit.DAYS));
        assertFalse(LibraryArguments.canBeKey(enums, Thread.State.NEW));
        assertTrue(LibraryArguments.canBeValue(enums, Thread.State.NEW));
        assertFalse(LibraryArguments.canBeValue(enums, TimeUnit.DAYS));
        assertTrue(LibraryArguments.canBeKey(enums.inverse(), Thread.State.NEW));
        assertTrue(LibraryArguments.canBeValue(EnumHashBiMap.create(TimeUnit.class), "x"));
        assertNull(LibraryArguments.of(HashBiMap.class, "get/1"));
    }

    @Test
    public void a_range_has_something_in_it_if_its_ends_differ_for_certain() {
        assertEquals(Idle.EMPTY_RANGE, LibraryArguments.of(TreeRangeMap.class, "put/2"));
        assertEquals(Idle.EMPTY_RANGE, LibraryArguments.of(TreeRangeSet.create().complement().getClass(), "add/1"));
        for (Range<?> range : List.of(Range.closed(3, 3), Range.closedOpen(3, 4), Range.all(), Range.atLeast("x"), Range.closed(BigDecimal.ZERO, BigDecimal.ONE))) {
            assertTrue(range.toString(), LibraryArguments.isFilled(range));
        }
        // Comparing other ends would run unknown code.
        for (Range<?> range : List.of(Range.closedOpen(3, 3), Range.openClosed("x", "x"), Range.closedOpen(BigDecimal.ZERO, BigDecimal.ONE))) {
            assertFalse(range.toString(), LibraryArguments.isFilled(range));
        }
        assertFalse(LibraryArguments.isFilled(null));
    }

    @Test
    public void a_number_of_elements_is_one_of_a_multiset_alone() {
        assertEquals(Idle.ZERO, LibraryArguments.of(TreeMultiset.class, "add/2"));
        assertEquals(Idle.ZERO, LibraryArguments.of(HashMultiset.class, "remove/2"));
        ArrayListMultimap<String, String> lists = ArrayListMultimap.create();
        assertNull(LibraryArguments.of(lists.get("a").getClass(), "add/2"));
        assertNull(LibraryArguments.of(lists.getClass(), "remove/2"));
        assertTrue(Idle.ZERO.isNothing(lists, lists, null, 0, 0));
        assertFalse(Idle.ZERO.isNothing(lists, lists, null, -1, 0));
    }

    @Test
    public void a_queue_without_room_takes_nothing() {
        assertEquals(Idle.NO_ROOM, LibraryArguments.of(EvictingQueue.class, "add/1"));
        assertFalse(LibraryArguments.hasRoom(EvictingQueue.create(0)));
        assertTrue(LibraryArguments.hasRoom(EvictingQueue.create(1)));
    }

    @Test
    public void an_iterator_over_a_multiset_repeats_an_element_without_a_look() {
        for (Iterable<String> of : List.of(HashMultiset.create(List.of("x", "x")), TreeMultiset.create(List.of("x", "x")))) {
            Iterator<String> each = of.iterator();
            assertEquals(Idle.REPEATED, LibraryArguments.of(each.getClass(), "next/0"));
            assertTrue(LibraryArguments.isNewElement(each));
            each.next();
            assertFalse(LibraryArguments.isNewElement(each));
            each.next();
            assertTrue(LibraryArguments.isNewElement(each));
        }
    }

    @Test
    public void a_look_that_returned_nothing_need_not_have_been_one() {
        assertEquals(Idle.FOUND, Idle.of(getClass(), "get", 2, Effect.of("read-if-nonnull")));
        assertTrue(Idle.FOUND.needsElements(this, this));
        assertTrue(Idle.FOUND.isCertain(true));
        assertFalse(Idle.FOUND.isCertain(false));
        assertNull(Idle.FOUND.elements(List.of(1)));
    }
}
