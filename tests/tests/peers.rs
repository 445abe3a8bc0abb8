//! Known mistakes of other checkers, each with a test that our engines do not make it.
//!
//! The mistakes are those of RAPID (AeroDrome and Velodrome), of RegionTrack's own offline code, and of the algorithms of
//! the RegionTrack paper taken literally. The right answer of each trace is worked out by hand: `2→4` means that event 2
//! conflicts with the later event 4 of another thread; events of one thread are ordered anyway. Blocks are named after
//! their labels. Every engine is checked against its claim.

use regiontrack_tests::case::Case;

/// The trace is non-serializable from `first_event` on, and exactly these blocks (`label@event`) are violated.
fn non_serializable(trace: &str, first_event: u64, violated: &str) {
    hold(Case::new(trace, Some(first_event), violated));
}

fn serializable(trace: &str) {
    hold(Case::new(trace, None, ""));
}

fn hold(case: Result<Case, String>) {
    let faults = case.expect("a case").faults();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

// RAPID, AeroDrome, optimised.

#[test]
fn a_transaction_entered_only_by_program_order_from_a_reachable_one_is_not_garbage() {
    // 2→4 reaches T's first block, program order its second, 7→9 comes back: u.begin → 7 → 9.
    // T's blocks are closed by then, nothing comes back to them.
    non_serializable("U|begin(u) U|w(x) T|begin(a) T|r(x) T|end T|begin(b) T|w(y) T|end U|r(y) U|end", 9, "u@9");
}

#[test]
fn a_chain_of_finished_transactions_of_one_thread_is_not_garbage() {
    // As above, with two transactions more between the one reached (2→4) and the one that comes back (12→13).
    non_serializable(
        "U|begin(u) U|w(x) T|begin(a) T|r(x) T|end T|begin(b) T|w(p) T|end T|w(q) T|begin(c) T|end T|w(y) U|r(y)",
        13,
        "u@13",
    );
}

// RAPID, AeroDrome, basic.

#[test]
fn a_violation_is_found_though_no_block_ever_closes() {
    // 2→4, 5→6: a.begin → 5 → 6. Block b began at 3; 6 is the last event, nothing comes back to b.
    non_serializable("A|begin(a) A|w(x) B|begin(b) B|r(x) B|w(y) A|r(y)", 6, "a@6");
}

#[test]
fn a_cycle_of_two_open_blocks_is_known_before_either_closes() {
    // 3→6 and 4→5: each block reaches the other. But 5 is after 3 and 6 after 4, so a.begin reaches only 6, in B, and
    // comes back nowhere; likewise b.
    non_serializable("A|begin(a) B|begin(b) A|w(x) B|w(y) A|r(y) B|r(x)", 6, "");
}

#[test]
fn a_block_that_forks_and_joins_a_thread_without_events_is_serial() {
    serializable("A|begin(a) A|fork(B) A|join(B) A|end");
}

#[test]
fn a_block_that_forks_and_joins_a_thread_with_events_is_violated() {
    // 2→3 and 3→4: no serial order puts the child's event inside the block.
    non_serializable("A|begin(a) A|fork(B) B|w(x) A|join(B) A|end", 4, "a@4");
}

// RAPID, Velodrome.

#[test]
fn events_outside_blocks_take_part() {
    // 2→3→4: B's write is its own transaction.
    non_serializable("A|begin(a) A|r(x) B|w(x) A|w(x) A|end", 4, "a@4");
}

#[test]
fn events_outside_blocks_alone_are_serializable() {
    // Every transaction is one event; the trace is serial as it stands.
    serializable("A|r(x) B|w(x) A|w(x) B|r(x) A|acq(l) A|rel(l) B|acq(l) A|r(x) B|rel(l) A|join(B)");
}

#[test]
fn a_chain_of_forks_orders_the_last_child_after_the_first_fork() {
    // 2→3→4→5: a.begin → 4 → 5. B's fork and C's write are their own transactions.
    non_serializable("A|begin(a) A|fork(B) B|fork(C) C|w(x) A|r(x)", 5, "a@5");
}

#[test]
fn a_thread_that_only_forks_outside_blocks_orders_grandchild_and_block() {
    // 2→3, 3→4, 4→5, 5→6: the join of the grandchild comes back to the block.
    non_serializable("A|begin(a) A|fork(B) B|fork(C) C|fork(D) D|w(x) A|join(D)", 6, "a@6");
}

#[test]
fn every_edge_of_the_event_that_closes_the_first_cycle_is_kept() {
    // 2→4 and 5→8 violate a at 8. The same event has 7→8 from C. Later 9→10 comes back: c.begin → 8 → 10.
    // Block b: begun at 3, left at 5→8, but B has no event after 5.
    non_serializable(
        "A|begin(a) A|w(v) B|begin(b) B|r(v) B|r(x) C|begin(c) C|r(x) A|w(x) A|w(z) C|r(z)",
        8,
        "a@8 c@10",
    );
}

// RegionTrack's own offline code.

#[test]
fn a_first_read_does_not_hide_the_edge_between_two_writes() {
    // 2→4 and 4→5: a.begin → 4 → 5. Nothing comes back to b.
    non_serializable("A|begin(a) A|r(x) B|begin(b) B|w(x) A|w(x)", 5, "a@5");
}

#[test]
fn a_write_after_a_write_after_a_read_comes_back_through_the_writes_only() {
    // C's read (1) was before all; 3→5 (write, write), 6→7 (write, read): a.begin → 6 → 7.
    non_serializable("C|r(x) A|begin(a) A|w(x) B|begin(b) B|w(x) B|w(y) A|r(y)", 7, "a@7");
}

#[test]
fn no_edge_yet_is_not_an_edge() {
    // 2→4: a reaches b. 6→7: c reaches a. Nothing reaches c: c, a, b is a serial order.
    serializable("A|begin(a) A|w(x) B|begin(b) B|r(x) C|begin(c) C|w(y) A|r(y) A|end B|end C|end");
}

#[test]
fn no_edge_yet_is_not_an_edge_through_a_fourth_thread() {
    // 2→4: a reaches b. 6→8: c reaches d. 9→10: d reaches a. c, d, a, b is a serial order.
    serializable("A|begin(a) A|w(x) B|begin(b) B|r(x) C|begin(c) C|w(y) D|begin(d) D|r(y) D|w(z) A|r(z)");
}

#[test]
fn neighbours_outside_blocks_are_not_one_transaction() {
    // A begins at 2. 6→7→8 and 4→9: events 4 and 6 of B come before A's block, event 8 after it; no event of B is both.
    serializable("B|begin(b) A|begin(a) B|end B|w(x1) B|acq(l) B|w(x0) A|w(x0) B|r(x0) A|w(x1) A|w(x1)");
}

// The paper's Algorithms 1, 3 and 4, where an event outside blocks gets no clock increment.

#[test]
fn an_event_outside_blocks_does_not_belong_to_the_block_before_it() {
    // 3→7 and 5→6: event 3 comes before b, event 6 after it; both follow the empty block a.
    serializable("A|begin(a) A|end A|w(x) B|begin(b) B|w(y) A|r(y) B|r(x)");
}

#[test]
fn an_event_outside_blocks_before_any_block_can_close_a_cycle() {
    // 4→5: b reaches c. 2→6→7: c reaches A's write, and that reaches b. Back in time in c (2 is before 5), so b.begin
    // reaches only 5 in C and comes back nowhere; c.begin reaches 7, in B, after which C has no event.
    non_serializable("C|begin(c) C|w(y) B|begin(b) B|w(x) C|r(x) A|w(y) B|r(y)", 7, "");
}

#[test]
fn an_event_outside_blocks_between_two_threads_carries_a_violation() {
    // 2→3→4→5, through B's one event and C's one event: a.begin → 4 → 6.
    non_serializable("A|begin(a) A|w(x) B|w(x) C|r(x) C|w(y) A|r(y)", 6, "a@6");
}

// What the definitions say where one could think otherwise.

#[test]
fn locks_order_a_release_before_an_acquire_but_not_an_acquire_before_a_release() {
    // 3→4 and 5→6: a.begin → 4 → 6.
    non_serializable("A|begin(a) A|acq(l) A|rel(l) B|acq(l) B|rel(l) A|acq(l)", 6, "a@6");
    // One critical section each: 3→5 only.
    serializable("A|begin(a) A|acq(l) A|rel(l) B|begin(b) B|acq(l) B|rel(l) A|end B|end");
}

#[test]
fn an_inner_block_is_judged_by_its_own_begin() {
    // 2→4→6: o.begin → 4 → 6, but i began at 5, after the path left.
    non_serializable("A|begin(o) A|r(x) B|begin(b) B|w(x) A|begin(i) A|r(x) A|end A|end", 6, "o@6");
    // The edge out, 3→5, is inside i now.
    non_serializable("A|begin(o) A|begin(i) A|r(x) B|begin(b) B|w(x) A|r(x) A|end A|end", 6, "o@6 i@6");
}

#[test]
fn a_thread_joined_twice_is_ordered_before_both_joins() {
    // 2→3→4: a.begin → 3 → 4. 3→6 enters c, and nothing leaves it.
    non_serializable("A|begin(a) A|fork(B) B|w(x) A|join(B) C|begin(c) C|join(B) C|end", 4, "a@4");
}

#[test]
fn a_running_thread_forked_by_what_it_reached_is_violated_by_its_next_event() {
    // Not well-formed: A runs already when it is forked. 2→3, 4→5: a.begin → 4 → 5, and 5 is the end of the block.
    non_serializable("A|begin(a) A|w(x) B|r(x) B|fork(A) A|end", 5, "a@5");
}
