package dev.regiontrack.runtime.models;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import dev.regiontrack.Tables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import org.junit.Test;

/** What calls do with an argument, where no object of the agent is needed to decide it. Programs show the other cases. */
public class PassingTest {
    private static ModelTable.Argument[] all() {
        Tables.load("class java.util.AbstractCollection\nread containsAll\npassing java.util.AbstractCollection\nforEach/1-if-true containsAll/1\n"
            + "isEmpty/0-if-false containsAll/1\nadd/1-if-nonzero drainTo/2@1\ncontains/1-if-filled removeAll/1\ntoArray/0 addAll/1");
        return ModelTable.passed("java.util.AbstractCollection", "containsAll", 1);
    }

    @Test
    public void what_is_done_with_an_argument_can_depend_on_the_result() {
        ModelTable.Argument[] all = all();
        assertEquals(2, all.length);
        assertEquals(Effect.When.TRUE, all[0].when);
        assertEquals(ModelTable.method("forEach(Ljava/lang/Object;)V"), all[0].method);
        assertEquals(Effect.When.FALSE, all[1].when);
        assertEquals(ModelTable.method("isEmpty()V"), all[1].method);
        assertEquals(Effect.When.NONZERO, ModelTable.passed("java.util.AbstractCollection", "drainTo", 2)[0].when);
        assertEquals(Effect.When.FILLED, ModelTable.passed("java.util.AbstractCollection", "removeAll", 1)[0].when);
        assertEquals(Effect.When.ALWAYS, ModelTable.passed("java.util.AbstractCollection", "addAll", 1)[0].when);
        assertNull(ModelTable.passed("java.util.AbstractList", "containsAll", 1));
    }

    @Test
    public void a_result_decides_what_was_done() {
        for (boolean result : new boolean[] {true, false}) {
            assertTrue(Passing.is(Effect.When.ALWAYS, result));
            assertEquals(result, Passing.is(Effect.When.TRUE, result));
            assertEquals(result, Passing.is(Effect.When.NONZERO, result));
            assertEquals(result, Passing.is(Effect.When.FILLED, result));
            assertEquals(!result, Passing.is(Effect.When.FALSE, result));
        }
    }

    @Test
    public void a_call_that_acts_on_an_argument_says_whether_it_returned_true() {
        for (String word : new String[] {"read", "write", "write-if-true", "keys-read-if-false"}) {
            Effect passing = Effect.of(word).passing(all());
            assertNotSame(passing, passing.answer);
            assertTrue(passing.answer.isSo(true));
            assertFalse(passing.answer.isSo(false));
        }
        // These have a result of another kind.
        for (String word : new String[] {"write-if-nonzero", "write-if-null"}) {
            Effect passing = Effect.of(word).passing(all());
            assertSame(passing, passing.answer);
        }
        assertEquals(Effect.When.TRUE, Effect.of("each-write-if-true").counting(Effect.When.TRUE).passing(all()).answer.counts);
        assertNull(Effect.of("give-if-true").passing(all()).passed);
    }

    @Test
    public void only_collections_whose_answer_runs_no_code_are_asked_whether_they_are_empty() {
        List<Integer> list = new ArrayList<>();
        assertTrue(Idle.isQuietCollection(list.getClass()));
        assertFalse(Idle.isQuietCollection(TreeSet.class));
        assertFalse(Idle.isQuietCollection(list.subList(0, 0).getClass()));
        assertFalse(Idle.isQuietCollection(new HashMap<>().keySet().getClass()));
        assertFalse(Idle.isQuietCollection(new HashSet<Integer>() {
            private static final long serialVersionUID = 1;
        }.getClass()));
    }
}
