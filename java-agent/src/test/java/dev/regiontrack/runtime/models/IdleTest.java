package dev.regiontrack.runtime.models;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.lang.annotation.RetentionPolicy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.Test;

/** Which calls do nothing, where no object of the agent is needed to decide it. Programs show the other cases. */
public class IdleTest {
    private static boolean isEqualToNothing(Object o, Object argument) {
        return Idle.EQUALS.isNothing(o, o, argument, -1, 0);
    }

    @Test
    public void a_comparison_with_itself_or_with_another_kind_looks_at_nothing() {
        Object[] all = {new ArrayList<>(List.of(1)), new HashSet<>(Set.of(1)), new HashMap<>(Map.of(1, 1)), new BitSet()};
        for (Object o : all) {
            for (Object argument : all) {
                assertTrue(isEqualToNothing(o, argument));
            }
            assertTrue(isEqualToNothing(o, "x"));
            assertTrue(isEqualToNothing(o, null));
        }
    }

    @Test
    public void an_iterator_that_has_made_its_last_step_goes_over_nothing() {
        Map<Integer, Integer> map = Map.of(1, 1);
        for (Iterable<Integer> of : List.of(new HashSet<>(map.keySet()), new LinkedHashMap<>(map).keySet(), new TreeMap<>(map).keySet(), new ArrayDeque<>(map.keySet()))) {
            Iterator<Integer> each = of.iterator();
            assertEquals(Idle.REST, Idle.of(each.getClass(), "forEachRemaining", 1, Effect.of("read")));
            assertFalse(Idle.REST.isNothing(each, each, null, -1, 0));
            each.next();
            assertTrue(Idle.REST.isNothing(each, each, null, -1, 0));
        }
        assertNull(Idle.of(new ArrayList<>(map.keySet()).iterator().getClass(), "forEachRemaining", 1, Effect.of("read")));
    }

    @Test
    public void a_spliterator_that_has_come_to_nothing_need_not_have_looked() {
        assertEquals(Idle.STEP, Idle.of(new ArrayList<>().spliterator().getClass(), "tryAdvance", 1, Effect.of("read")));
        assertTrue(Idle.STEP.needsElements(null, "x"));
        assertTrue(Idle.STEP.isCertain(true));
        assertFalse(Idle.STEP.isCertain(false));
        assertNull(Idle.of(Stream.of(1).map(v -> v).spliterator().getClass(), "tryAdvance", 1, Effect.of("read")));
    }

    @Test
    public void a_set_of_bits_does_nothing_with_itself_unless_that_changes_it() {
        BitSet bits = new BitSet();
        for (Idle idle : new Idle[] {Idle.WRITES_OTHER, Idle.NOT_ITSELF}) {
            assertTrue(idle.isNothing(bits, bits, bits, -1, 0));
            assertFalse(idle.isNothing(bits, bits, new BitSet(), -1, 0));
        }
        assertFalse(Idle.WRITES_ALL.isNothing(bits, bits, bits, -1, 0));
        assertFalse(Idle.WRITES_ALL.needsElements(bits, bits));
        assertTrue(Idle.WRITES_ALL.needsElements(bits, new BitSet()));
        assertFalse(Idle.NOT_ITSELF.needsElements(bits, new BitSet()));
    }

    @Test
    public void a_result_that_an_empty_argument_does_not_give_is_enough() {
        assertTrue(Idle.TRUE_IF_EMPTY.isCertain(false));
        assertFalse(Idle.TRUE_IF_EMPTY.isCertain(true));
        assertTrue(Idle.FALSE_IF_EMPTY.isCertain(true));
        assertFalse(Idle.FALSE_IF_EMPTY.isCertain(false));
        assertFalse(Idle.WRITES_ALL.isCertain(true));
    }

    private static boolean isEmpty(long from, long to) {
        BitSet bits = new BitSet();
        return Idle.RANGE.isNothing(bits, bits, null, to + 1 << 32 | from, 0);
    }

    @Test
    public void a_range_is_empty_if_it_ends_where_it_begins() {
        for (int i : new int[] {0, 3, Integer.MAX_VALUE}) {
            assertTrue(isEmpty(i, i));
            assertFalse(isEmpty(0, i + 1L));
        }
        // One number is no range.
        assertFalse(Idle.RANGE.isNothing(null, null, null, 0, 0));
        assertFalse(Idle.RANGE.isNothing(null, null, null, 3, 0));
        assertFalse(Idle.RANGE.isNothing(null, null, null, -1, 0));
    }

    @Test
    public void what_is_no_constant_of_an_enum_is_not_looked_for() {
        Object[] all = {EnumSet.of(TimeUnit.DAYS), new EnumMap<>(Map.of(TimeUnit.DAYS, 1))};
        for (Object of : all) {
            for (Object other : new Object[] {null, "x", RetentionPolicy.CLASS}) {
                assertTrue(Idle.CONSTANT.isNothing(of, of, other, -1, 0));
            }
            assertFalse(Idle.CONSTANT.isNothing(of, of, TimeUnit.HOURS, -1, 0));
        }
        assertTrue(Idle.CONSTANTS.isNothing(all[0], all[0], EnumSet.of(RetentionPolicy.CLASS), -1, 0));
        assertFalse(Idle.CONSTANTS.isNothing(all[0], all[0], EnumSet.noneOf(TimeUnit.class), -1, 0));
        assertFalse(Idle.CONSTANTS.isNothing(all[0], all[0], List.of("x"), -1, 0));
        assertTrue(Idle.CONSTANTS.needsElements(all[0], List.of("x")));
        assertFalse(Idle.CONSTANTS.needsElements(all[0], EnumSet.noneOf(TimeUnit.class)));
        assertFalse(Idle.CONSTANTS.canBe(false));
        assertTrue(Idle.CONSTANTS.canBe(true));
        assertTrue(Idle.TRUE_IF_EMPTY.canBe(false));
    }

    private static Idle idle(Class<?> type, String name, String effect) {
        return Idle.of(type, name, 1, Effect.of(effect));
    }

    @Test
    public void what_is_done_for_each_key_or_by_another_class_has_no_such_condition() {
        assertEquals(Idle.TRUE_IF_EMPTY, idle(Collection.class, "containsAll", "read"));
        assertEquals(Idle.TRUE_IF_EMPTY, idle(Collection.class, "containsAll", "queue-read"));
        assertNull(idle(Collection.class, "containsAll", "each-read-if-true"));
        assertEquals(Idle.FALSE_IF_EMPTY, idle(Collection.class, "addAll", "added-write-if-true"));
        assertNull(idle(Collection.class, "addAll", "each-write-if-true"));
        assertEquals(Idle.WRITES_ALL, idle(Map.class, "putAll", "write"));
        assertEquals(Idle.FALSE_IF_EMPTY, idle(Object.class, "putAll", "write-if-true"));
        assertNull(idle(Map.class, "putAll", "each-write"));
        assertEquals(Idle.WRITES_OTHER, idle(BitSet.class, "or", "write"));
        assertNull(idle(Object.class, "or", "write"));
        assertNull(idle(Collection.class, "removeAll", "write-if-true"));
        assertEquals(Idle.NULL, idle(ArrayDeque.class, "contains", "read"));
        assertNull(idle(ArrayList.class, "contains", "read"));
        assertEquals(Idle.CONSTANTS, idle(EnumSet.class, "containsAll", "read"));
    }
}
