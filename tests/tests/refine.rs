//! Refinement of random traces: round by round and in one run it takes out the same methods, those that the reference
//! finds violated, and what is left is clean.

use std::collections::BTreeSet;

use analysis_core::engine::Findings;
use analysis_core::event::{Event, Op};
use analysis_core::spec::refine::{Named, Round, Taken};
use analysis_core::spec::{Specification, TraceFilter};
use analysis_core::trace::symbols::Symbols;
use regiontrack_tests::compare::reference;
use regiontrack_tests::{generate, text};

const TRACES: u64 = 2_000;

/// Labels the blocks with methods, few enough that some callers and callees share one.
fn labelled(trace: &[Event]) -> (Vec<Event>, Symbols) {
    let mut symbols = Symbols::default();
    let mut begins = 0;
    let mut label = |event: &Event| {
        let Op::Begin(_) = event.op else { return *event };
        begins += 1;
        // Some blocks have no label, some a label that is no method's name.
        let op = match begins % 7 {
            0 => Op::Begin(analysis_core::event::LabelId::NONE),
            1 => Op::Begin(analysis_core::event::LabelId(symbols.labels.intern(b"12"))),
            n => Op::Begin(analysis_core::event::LabelId(symbols.labels.intern(format!("a.B.m{n}(int)").as_bytes()))),
        };
        Event::new(event.thread, op)
    };
    (trace.iter().map(&mut label).collect(), symbols)
}

fn findings(trace: &[Event], symbols: &Symbols, spec: &Specification) -> Findings {
    let mut left = trace.to_vec();
    TraceFilter::new(spec).apply(&mut left, symbols);
    let mut engine = (reference().build)();
    engine.feed(&left);
    engine.findings().clone()
}

/// Returns what is taken out until nothing is violated, and the number of rounds.
fn refined(trace: &[Event], symbols: &Symbols, taken: Taken) -> (BTreeSet<Named>, usize) {
    let mut out: BTreeSet<Named> = BTreeSet::new();
    for rounds in 0.. {
        let rules = out.iter().map(|method| format!("- {}\n", method.selector())).collect::<String>();
        let spec = Specification::parse(&format!("+ **\n{rules}"), "refined").expect("rules");
        let mut round = Round::default();
        round.add(&findings(trace, symbols, &spec), symbols, taken, &Default::default());
        if round.is_clean() {
            return (out, rounds);
        }
        let before = out.len();
        out.extend(round.taken().cloned());
        assert!(out.len() > before, "a round takes out what none before it has: {out:?}");
    }
    unreachable!("rounds end")
}

#[test]
fn rounds_and_one_run_take_out_the_same_methods_those_of_the_violated_blocks() {
    let family = generate::find("nested").expect("a family of that name");
    let (mut most, mut methods) = (0, 0);
    for seed in 0..TRACES {
        let (trace, symbols) = labelled(&family.trace(seed));
        let everything = Specification::parse("+ **", "all").expect("a rule");
        let mut all = Round::default();
        all.add(&findings(&trace, &symbols, &everything), &symbols, Taken::All, &Default::default());
        let violated: BTreeSet<Named> = all.methods.keys().cloned().collect();
        let (by_rounds, rounds) = refined(&trace, &symbols, Taken::Innermost);
        let (at_once, one) = refined(&trace, &symbols, Taken::All);
        let (from_outside, _) = refined(&trace, &symbols, Taken::Outermost);
        assert_eq!(by_rounds, violated, "seed {seed}");
        assert_eq!(from_outside, violated, "seed {seed}");
        assert_eq!(at_once, violated, "seed {seed}");
        assert!(one <= 1 && rounds >= one, "seed {seed}: {rounds} and {one} rounds");
        (most, methods) = (most.max(rounds), methods + violated.len());
    }
    println!("at most {most} rounds, {methods} methods");
    assert!(most > 2 && methods > 1_000, "{most} rounds, {methods} methods");
}

#[test]
fn of_blocks_that_one_event_shows_to_be_violated_a_round_takes_the_innermost_or_the_outermost() {
    let std = "T0|begin(a.B.outer())|1\nT0|begin(a.B.inner())|2\nT0|r(x)|3\nT1|w(x)|4\nT0|r(x)|5\nT0|end|6\nT0|end|7\n";
    let text::Trace { events, symbols } = text::read(std).expect("a trace");
    let everything = Specification::parse("+ **", "all").expect("a rule");
    let found = findings(&events, &symbols, &everything);
    let cases = [
        (Taken::Innermost, &["a.B.inner()"][..]),
        (Taken::Outermost, &["a.B.outer()"]),
        (Taken::All, &["a.B.inner()", "a.B.outer()"]),
    ];
    for (taken, expected) in cases {
        let mut round = Round::default();
        round.add(&found, &symbols, taken, &Default::default());
        assert_eq!(round.violations, 2);
        let methods: Vec<&str> = round.taken().map(Named::selector).collect();
        assert_eq!(methods, expected, "{taken:?}");
    }
}
