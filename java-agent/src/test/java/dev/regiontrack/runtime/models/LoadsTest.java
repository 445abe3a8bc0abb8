package dev.regiontrack.runtime.models;

import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;

import dev.regiontrack.runtime.threads.ThreadState;
import org.junit.Test;

/** Which call of a cache has loaded a key. */
public class LoadsTest {
    private final Object cache = new Object();
    private final Object other = new Object();
    private final Loads loads = new Loads();

    private static final class Call implements Loads.Call {
        private final Object of;

        Call(Object of) {
            this.of = of;
        }

        @Override
        public boolean isOf(Object cache) {
            return cache == of;
        }

        @Override
        public void prepare(Object key, ThreadState t) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void store(Object key, ThreadState t) {
            throw new UnsupportedOperationException();
        }
    }

    private Call begin(Object of) {
        Call call = new Call(of);
        loads.begin(call);
        return call;
    }

    @Test
    public void it_is_the_innermost_call_of_the_cache() {
        assertNull(loads.of(cache));
        Call outer = begin(cache);
        Call inner = begin(other);
        assertSame(outer, loads.of(cache));
        assertSame(inner, loads.of(other));
        Call innermost = begin(cache);
        assertSame(innermost, loads.of(cache));
        loads.end(innermost);
        assertSame(outer, loads.of(cache));
        loads.end(inner);
        assertNull(loads.of(other));
        assertNull(loads.of(null));
    }

    @Test
    public void a_call_that_an_exception_has_left_is_over_with_the_one_around_it() {
        Call outer = begin(cache);
        Call thrown = begin(other);
        loads.end(outer);
        assertNull(loads.of(cache));
        assertNull(loads.of(other));
        loads.end(thrown);
        assertNull(loads.of(other));
    }

    @Test
    public void of_many_calls_the_outermost_is_forgotten() {
        Call first = begin(cache);
        for (int i = 0; i < 15; i++) {
            begin(other);
        }
        assertSame(first, loads.of(cache));
        Call last = begin(other);
        assertNull(loads.of(cache));
        assertSame(last, loads.of(other));
        loads.end(first);
        assertSame(last, loads.of(other));
    }
}
