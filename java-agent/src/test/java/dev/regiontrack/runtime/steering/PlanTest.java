package dev.regiontrack.runtime.steering;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import dev.regiontrack.runtime.bridge.SiteText;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.After;
import org.junit.Test;

/** Plans, the places in them, and how long and how often threads are held for them. */
public class PlanTest {
    private static final String LINE = "7\ta.B.f(int)\ta.B.g:4 read x\ta.B.g:4 release\ta.B.f:9 write x\ta.C$D.h:2 write x\ta.C$D.h:1 acquire\t20\t0\t0\n";

    @After
    public void nothing_is_steered() {
        Plan.use("", null, 20);
    }

    private static Set<String> texts(List<Place> places) {
        return places.stream().map(place -> place.text).collect(Collectors.toSet());
    }

    @Test
    public void without_a_plan_no_class_has_places() {
        assertFalse(Plan.isOn());
        assertEquals(List.of(), Plan.in("a/B"));
        assertEquals(List.of(), Plan.called("a/B", "g"));
    }

    @Test
    public void classes_have_the_places_that_name_them() {
        Plan.use(LINE, null, 20);
        assertEquals(Set.of("a.B.g:4 read x", "a.B.g:4 release", "a.B.f:9 write x"), texts(Plan.in("a/B")));
        assertEquals(Set.of("a.C$D.h:2 write x", "a.C$D.h:1 acquire"), texts(Plan.in("a/C$D")));
        assertEquals(List.of(), Plan.in("a/C"));
    }

    /** Of another thread, of no test or of this one, nobody asks before that. */
    @Test
    public void the_schedule_of_a_test_is_for_nobody_before_it_begins_and_ends_with_it() {
        ThreadState t = Threads.current();
        Plan.use("test\n" + LINE, null, 20);
        Place place = Plan.named("a.B.g:4 read x");
        assertFalse(place.plan.isFor(t));
        Plan.end();
        assertFalse(place.plan.isOver());
        Plan.replay(7);
        assertFalse(place.plan.isFor(t));
        int former = t.worksFor(7);
        assertTrue(place.plan.isFor(t));
        t.worksFor(former);
        Plan.end();
        assertTrue(place.plan.isOver());
        // The schedule of a run is for all threads.
        Plan.use(LINE, null, 20);
        assertTrue(Plan.named("a.B.g:4 read x").plan.isFor(t));
    }

    @Test
    public void calls_of_a_method_are_places_of_its_monitor_until_one_is_found_inside() {
        Plan.use(LINE, null, 20);
        assertEquals(Set.of("a.B.g:4 release"), texts(Plan.called("a/Sub", "g")));
        assertEquals(List.of(), Plan.called("a/B", "f"));
        assertEquals(List.of(), Plan.called("java/util/Map", "g"));
        Place release = Plan.called("a/B", "g").get(0);
        assertTrue("of a class whose code was not seen", release.isOfCall("()V"));
        Plan.foundCalled(release, "(I)V");
        Plan.foundCalled(release, "(J)V");
        assertTrue(release.isOfCall() && release.isOfCall("(I)V") && release.isOfCall("(J)V"));
        assertFalse("one of the same name that is not synchronized", release.isOfCall("()V"));
        Plan.found(release);
        assertFalse(release.isOfCall());
    }

    @Test
    public void a_call_of_the_platform_is_only_one_of_its_own_methods() {
        Plan.use(LINE.replace("a.B.g:4 release", "java.util.Vector.size:4 release"), null, 20);
        assertEquals(Set.of("java.util.Vector.size:4 release"), texts(Plan.called("java/util/List", "size")));
        assertEquals(Set.of("java.util.Vector.size:4 release"), texts(Plan.called("a/List", "size")));
        Plan.use(LINE, null, 20);
        assertEquals(List.of(), Plan.called("java/util/List", "g"));
    }

    @Test
    public void a_call_is_one_of_the_method_if_the_receiver_is_of_its_class_or_below() {
        Place place = new Place(0, "java.util.AbstractMap.put:3 acquire");
        assertTrue(place.isOf(java.util.HashMap.class) && place.isOf(java.util.AbstractMap.class));
        assertFalse(place.isOf(Object.class) || place.isOf(java.util.ArrayList.class));
    }

    @Test
    public void places_know_what_they_are_for() {
        Plan.use(LINE, null, 20);
        Place first = Plan.place(0);
        assertEquals("a.B g 4 read x", String.join(" ", first.type, first.method, Integer.toString(first.line), first.action, first.name));
        assertTrue(first.needsObject() && first.isAfter() && !first.isBefore() && !first.isOfMonitor());
        Place enter = Plan.called("a/C$D", "h").get(0);
        assertTrue(enter.isBefore() && !enter.isAfter());
        assertEquals(20_000_000, first.firsts[0].bound());
        assertEquals("a.B f", first.firsts[0].blockType + ' ' + first.firsts[0].blockMethod);
    }

    @Test
    public void a_place_in_a_method_without_lines_is_one_of_its_parameters_and_an_index() {
        Place place = new Place(0, "a.B$C.put(java.lang.String,int[]):@12 write x");
        assertEquals("a.B$C put", place.type + ' ' + place.method);
        assertEquals(SiteText.atIndex(12), place.line);
        assertTrue(place.canHave("java.lang.String,int[]"));
        assertFalse(place.canHave("java.lang.String") || place.canHave(""));
        Place first = new Place(0, "a.B.<init>():@0 acquire");
        assertTrue(first.method.equals("<init>") && first.line == SiteText.atIndex(0) && first.canHave(""));
        assertTrue("a line tells methods of one name apart", new Place(0, "a.B.put:12 write x").canHave("int"));
        for (String wrong : List.of("a.B.put:@12 write x", "a.B.put(int):@ write x", "a.B.put(int):@x write x")) {
            assertThrows(IllegalArgumentException.class, () -> new Place(0, wrong));
        }
    }

    /** Returns what was to be put into code for each plan. */
    private static List<Set<Set<String>>> rewritten(String... plans) {
        List<Set<Set<String>>> all = new java.util.ArrayList<>();
        Plan.turnOnForTests(20);
        Plan.rewriteBy((types, methods) -> all.add(Set.of(types, methods)));
        for (String plan : plans) {
            Plan.steer(plan, null, 7);
        }
        return all;
    }

    @Test
    public void code_gets_calls_for_what_is_new_in_a_plan_and_a_place_keeps_its_number() {
        String later = LINE.replace("\ta.C$D.h:1 acquire", "\t?a.C$D.h:1 acquire");
        String same = later.replaceFirst("7", "15").replace("\t20\t0\t0\n", "\t40\t0\t0\n");
        String more = LINE.replace("a.B.g:4 read x", "a.E.g:4 read x").replace("f(int)", "g()");
        // What a later plan awaits has its call from the first plan on.
        assertEquals(List.of(Set.of(Set.of("a.B", "a.C$D"), Set.of("g", "h")), Set.of(Set.of("a.E"), Set.of())), rewritten(later, LINE, same, more));
        assertEquals("a.E.g:4 read x", Plan.in("a/E").get(0).text);
        Place known = Plan.in("a/E").get(0);
        assertEquals(known.text, Plan.place(known.number).text);
        assertEquals("it is not of the last plan", null, Plan.place(0));
        assertEquals("nor is there such a number", null, Plan.place(1000));
        Plan.end();
        assertEquals(null, Plan.place(known.number));
        assertEquals("the calls stay", 6, Plan.in("a/B").size() + Plan.in("a/C$D").size() + Plan.in("a/E").size());
    }

    @Test
    public void a_place_that_does_more_in_a_later_plan_gets_its_other_calls() {
        String swapped = LINE.replace("a.B.g:4 read x", "P").replace("a.C$D.h:2 write x", "a.B.g:4 read x").replace("P", "a.C$D.h:2 write x");
        // The release behind which a thread is held needs no object, and here is the other place.
        String released = LINE.replace("a.C$D.h:2 write x", "a.B.g:4 release");
        assertEquals(List.of(Set.of(Set.of("a.B", "a.C$D"), Set.of("g", "h")), Set.of(Set.of("a.B"), Set.of("g"))), rewritten(LINE, swapped, released));
    }

    @Test
    public void what_is_known_of_code_holds_in_every_plan_and_a_hold_ends_with_its_own() {
        rewritten(LINE);
        Place release = Plan.called("a/B", "g").get(0);
        Plan.found(release);
        assertFalse(Plan.place(release.number).isOfCall());
        Candidate candidate = Plan.place(0).firsts[0];
        assertEquals("7, and not that of code", 7, candidate.index);
        assertFalse(candidate.isOver());
        Plan.steer(LINE, null, 8);
        assertTrue(candidate.isOver());
        assertFalse(Plan.place(release.number).isOfCall());
        Candidate next = Plan.place(0).firsts[0];
        Plan.end();
        assertTrue(next.isOver());
    }

    @Test
    public void a_test_that_has_just_begun_may_hold_threads_and_gives_back_no_more_than_was_taken() {
        Budget.start(1, 1, 10_000_000);
        Candidate candidate = new Candidate(0, 0, "a.B.f()", null, null, false, 4_000_000, new Pace(0, 0));
        assertEquals(candidate.bound(), Budget.take(candidate, Long.MAX_VALUE));
        Budget.start(1, 1, 10_000_000);
        Budget.give(candidate, candidate.bound());
        assertEquals(0, Budget.used());
        nothing_is_steered();
    }

    @Test
    public void switch_points_are_places_to_watch_and_to_wait_at() {
        Plan.use("point\tmain\ta.B.f:3 write x\t2\ta.B.f:2 acquire\n", null, 20);
        assertEquals(1, Plan.points().size());
        Place passed = Plan.named("a.B.f:3 write x");
        Place before = Plan.named("a.B.f:2 acquire");
        assertTrue(passed.isAfter() && !passed.isBefore());
        assertTrue(before.isBefore() && !before.isAfter());
        assertEquals(Set.of(passed.text, before.text), texts(Plan.in("a/B")));
    }

    @Test
    public void behind_switch_points_nobody_is_held_for_the_candidate_before_the_run_goes_another_way() {
        Plan.use(LINE, null, 20);
        assertTrue(Plan.named("a.B.g:4 read x").firsts[0].isOpen);
        Plan.use("point\tmain\ta.B.g:4 release\t2\ta.B.g:4 release\n" + LINE, null, 20);
        Candidate candidate = Plan.named("a.B.g:4 read x").firsts[0];
        assertFalse(candidate.isOpen);
        Plan.open();
        assertTrue(candidate.isOpen);
    }

    @Test
    public void names_are_read_as_the_file_writes_them() {
        Place place = new Place(0, "a.B.odd" + '\\' + "u0020name:3 write x" + '\\' + "u005cy");
        assertEquals("odd name", place.method);
        assertEquals("x\\y", place.name);
    }

    @Test
    public void a_thread_is_held_once_for_each_first_place() {
        Place first = new Place(0, "a.B.f:3 read x");
        Candidate candidate = new Candidate(0, 0, "a.B.f()", first, first, false, 1, new Pace(0, 0));
        Way way = new Way(1, 1);
        assertFalse(way.isToBeHeld(candidate));
        way.pass(first);
        way.pass(first);
        way.passFirst(candidate, this, 2);
        assertTrue(way.isToBeHeld(candidate) && way.isInside(candidate));
        way.pass(first);
        assertEquals("how often it had passed it then, and has by now", List.of(2, 3), List.of(way.first(candidate), way.times(first)));
        assertEquals(this, way.take(candidate));
        assertFalse(way.isToBeHeld(candidate));
        assertTrue(way.isInside(candidate));
        way.passFirst(candidate, null, -1);
        way.passLast(candidate);
        assertTrue("a loop can pass the last place before that of the hold", way.isToBeHeld(candidate));
        assertFalse(way.isInside(candidate));
        way.passFirst(candidate, null, -1);
        way.leave(candidate);
        assertFalse(way.isToBeHeld(candidate) || way.isInside(candidate));
    }

    @Test
    public void a_thread_comes_to_the_last_place_of_the_block_in_which_it_has_passed_the_first() {
        Place first = new Place(0, "a.B.f:3 read x");
        Candidate candidate = new Candidate(0, 0, "a.B.f()", first, first, false, 1, new Pace(0, 0));
        Way way = new Way(1, 1);
        assertFalse("in no block", way.comesToLast(candidate, 0));
        way.passFirst(candidate, 7);
        way.passLast(candidate);
        assertTrue("of another object, or in a call within", way.comesToLast(candidate, 7));
        assertFalse("another block", way.comesToLast(candidate, 9));
        way.leave(candidate);
        assertFalse(way.comesToLast(candidate, 7));
    }

    @Test
    public void chances_are_passed_over_after_a_hold_in_vain_and_used_after_one_that_was_met() {
        Pace pace = new Pace(0, 0);
        assertTrue(pace.isDue());
        pace.held(false);
        assertEquals(List.of(false, true), List.of(pace.isDue(), pace.isDue()));
        pace.held(false);
        assertEquals(List.of(false, false, false, true), List.of(pace.isDue(), pace.isDue(), pace.isDue(), pace.isDue()));
        pace.held(true);
        assertTrue(pace.isDue());
    }

    @Test
    public void a_plan_of_many_holds_uses_most_chances_and_holds_longer_in_the_end() {
        Plan.use(LINE.replace("\t0\t0\n", "\t0\t-1\n"), null, 20);
        Pace pace = Plan.in("a/B").get(0).firsts[0].inside;
        List<Long> bounds = new ArrayList<>();
        int chances = 0;
        for (int holds = 0; holds < 80; chances++) {
            if (pace.isDue()) {
                bounds.add(pace.bound(10));
                pace.held(false);
                holds++;
            }
        }
        assertTrue("" + chances, chances > 80 && chances < 320);
        assertEquals(List.of(10L, 4L, 25L, 10L, 4L, 25L, 10L, 4L, 25L, 20L, 8L, 50L), bounds.subList(0, 12));
        assertEquals(800, (long) bounds.get(bounds.size() - 1 - bounds.size() % 3));
        assertEquals("no hold is longer", 640_000_000, pace.bound(640_000_000));
        pace.held(true);
        assertTrue(pace.isDue());
    }

    @Test
    public void of_calls_within_others_few_are_passed_over() {
        Pace pace = new Pace(0, 0);
        for (int i = 0; i < 1000; i++) {
            assertTrue(pace.isDue());
            pace.wasDeep();
        }
        pace.wasDeep();
        assertFalse("each look at the stack takes time", pace.isDue());
    }

    @Test
    public void chances_are_passed_over_at_first_where_others_have_come_in_vain() {
        Pace pace = new Pace(2, 0);
        assertEquals(List.of(false, false, true, true), List.of(pace.isDue(), pace.isDue(), pace.isDue(), pace.isDue()));
    }

    @Test
    public void after_some_holds_in_vain_the_next_chance_is_used_all_the_same() {
        Map<Integer, Integer> used = new TreeMap<>();
        for (int free : new int[] {0, 1, 2}) {
            Pace pace = new Pace(0, free);
            int inARow = 0;
            while (pace.isDue()) {
                pace.held(false);
                inARow++;
            }
            used.put(free, inARow);
        }
        assertEquals(Map.of(0, 1, 1, 2, 2, 3), used);
    }

    @Test
    public void a_plan_says_which_chances_are_used() {
        Plan.use(LINE.replace("\t0\t0\n", "\t1\t2\n"), null, 20);
        Pace pace = Plan.in("a/B").get(0).firsts[0].inside;
        List<Boolean> due = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            boolean isDue = pace.isDue();
            due.add(isDue);
            if (isDue) {
                pace.held(false);
            }
        }
        assertEquals(List.of(false, true, true, true, false), due);
    }

    @Test
    public void threads_are_held_for_no_more_than_the_share_and_a_candidate_for_its_part() {
        long start = System.nanoTime();
        Budget.start(50, 3);
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            candidates.add(new Candidate(i, i, "a.B.f()", null, null, false, 4_000_000, new Pace(0, 0)));
        }
        long sum = 0;
        while (sum == 0 || System.nanoTime() - start < 60_000_000) {
            for (Candidate candidate : candidates) {
                long granted = Budget.take(candidate, Long.MAX_VALUE);
                assertTrue(granted <= candidate.bound());
                sum += granted;
                long most = (System.nanoTime() - start) / 2;
                assertTrue("half of the time", Budget.used() <= most);
                assertTrue("two of four parts", candidate.used.get() <= most / 2 + 1);
            }
        }
        assertEquals(sum, Budget.used());
        candidates.forEach(candidate -> Budget.give(candidate, candidate.used.get()));
        assertEquals(0, Budget.used());
        assertTrue(Budget.take(candidates.get(0), Long.MAX_VALUE) > 0);
    }
}
