//! Planted bugs among noise: whatever surrounds them, they come first.

use super::*;
use crate::report::model::data::Data;
use crate::report::model::witness::WitnessEdge;

const LOST: Kind = Kind::LostUpdate;
const APP: &str = "com.shop";

/// A finding in a few words: method, kind, the methods that contain its own two events, the number of violated and of
/// all instances.
struct Case(&'static str, Kind, [&'static str; 2], (u64, u64));

fn end(method: &str, access: &str) -> End {
    let location = format!("{method}:1");
    End {
        event: None,
        thread: "t".into(),
        method: Some(method.into()),
        location,
        access: access.into(),
        locks: None,
        call: None,
        hand: None,
    }
}

fn witness([out, back]: [&str; 2], kind: Kind) -> Witness {
    let (first, last) =
        if kind == Kind::StaleCheckThenAct { ("release L", "acquire L") } else { ("read x", "write x") };
    let edge = |from: End, to: End| WitnessEdge { from, to };
    let other = || end("com.shop.Other.go()", "write x");
    let edges = vec![edge(end(out, first), other()), edge(other(), end(back, last))];
    Witness {
        begin: Some(end(out, "begin")),
        edges,
        rows: Vec::new(),
        ends: Vec::new(),
        first: None,
        columns: Vec::new(),
        delays: vec![],
        pair: None,
        data: Data::None,
    }
}

fn finding(Case(method, kind, ends, (count, instances)): &Case) -> Finding {
    let witness = witness(*ends, *kind);
    Finding {
        rank: Rank::of(Some(method), *kind, &witness, &Application::parse(APP)),
        method: Some((*method).to_owned()),
        count: *count,
        again: 0,
        instances: *instances,
        kind: *kind,
        witness,
        stack: Vec::new(),
        enclosing: Vec::new(),
        status: None,
        provoked: None,
    }
}

/// The methods in the order of the report, independent of the order in which they were found.
fn ranked(cases: &[Case]) -> Vec<String> {
    let mut expected: Option<Vec<String>> = None;
    for turn in 0..cases.len() {
        let mut findings: Vec<Finding> = cases.iter().map(finding).collect();
        findings.rotate_left(turn);
        sort(&mut findings);
        let order: Vec<String> = findings.into_iter().filter_map(|finding| finding.method).collect();
        assert_eq!(
            *expected.get_or_insert_with(|| order.clone()),
            order,
            "the order of detection decides nothing here"
        );
    }
    expected.expect("some case")
}

const TAKE: &str = "com.shop.Stock.take(int)";
const SERVE: &str = "com.shop.Server.serve()";
const POOL: &str = "org.pool.Pool.borrow()";
const INIT: &str = "com.shop.Stock.<init>()";
const LOAD: &str = "com.shop.Config.<clinit>()";

#[test]
fn a_lost_update_of_two_accesses_in_a_method_of_the_users_stands_before_all_noise() {
    let cases = [
        // The noise is rarer: rate alone would put it first.
        Case(SERVE, Kind::InconsistentView, [TAKE, SERVE], (1, 1_000_000)),
        Case(POOL, LOST, [POOL, POOL], (1, 900_000)),
        Case("com.shop.Server.loop()", LOST, [TAKE, SERVE], (1, 500_000)),
        Case(INIT, LOST, [INIT, INIT], (1, 2_000_000)),
        Case(TAKE, LOST, [TAKE, TAKE], (50, 100)),
    ];
    assert_eq!(ranked(&cases)[0], TAKE);
    assert_eq!(ranked(&cases)[4], INIT, "what runs before an object is shared comes last");
}

#[test]
fn each_pattern_stands_before_each_vague_kind() {
    let patterns = [LOST, Kind::UnrepeatableRead, Kind::TornUpdate, Kind::OverwrittenWrite, Kind::StaleCheckThenAct];
    for pattern in patterns {
        for vague in [Kind::InconsistentView, Kind::WaitsForChild, Kind::Interference] {
            let cases = [Case(SERVE, vague, [SERVE, SERVE], (1, 1000)), Case(TAKE, pattern, [TAKE, TAKE], (9, 10))];
            assert_eq!(ranked(&cases), [TAKE, SERVE], "{pattern:?} {vague:?}");
        }
    }
}

#[test]
fn a_short_span_stands_before_a_long_one_and_the_users_package_before_a_library() {
    let short_and_long = [Case(SERVE, LOST, [TAKE, TAKE], (1, 1000)), Case(TAKE, LOST, [TAKE, TAKE], (9, 10))];
    assert_eq!(ranked(&short_and_long), [TAKE, SERVE]);
    let own_and_library = [Case(POOL, LOST, [POOL, POOL], (1, 1000)), Case(TAKE, LOST, [TAKE, TAKE], (9, 10))];
    assert_eq!(ranked(&own_and_library), [TAKE, POOL]);
}

#[test]
fn two_sections_on_one_lock_are_a_short_span_wherever_the_lock_is_taken() {
    let (get, put) = ("com.shop.Cache.get()", "com.shop.Cache.put()");
    let cases = [
        Case(SERVE, LOST, [TAKE, TAKE], (1, 1000)),
        Case("com.shop.Cache.ensure()", Kind::StaleCheckThenAct, [get, put], (9, 10)),
    ];
    assert_eq!(ranked(&cases), ["com.shop.Cache.ensure()", SERVE]);
}

#[test]
fn what_has_one_shortcoming_stands_before_what_has_two() {
    let cases = [Case(POOL, LOST, [TAKE, TAKE], (1, 1000)), Case(TAKE, Kind::Interference, [TAKE, TAKE], (9, 10))];
    assert_eq!(ranked(&cases), [TAKE, POOL]);
}

#[test]
fn among_equals_the_rare_stands_first() {
    let cases = [Case(SERVE, LOST, [SERVE, SERVE], (99, 100)), Case(TAKE, LOST, [TAKE, TAKE], (1, 100))];
    assert_eq!(ranked(&cases), [TAKE, SERVE]);
}

#[test]
fn among_equals_a_lock_that_one_access_lacks_stands_before_what_is_not_locked_at_all() {
    let locked = |case: &Case, locks: [Option<&[&str]>; 2]| {
        let mut finding = finding(case);
        for edge in &mut finding.witness.edges {
            for (end, locks) in [&mut edge.from, &mut edge.to].into_iter().zip(locks) {
                end.locks = locks.map(|locks| locks.iter().map(|lock| (*lock).to_owned()).collect());
            }
        }
        finding.rank = Rank::of(finding.method.as_deref(), finding.kind, &finding.witness, &Application::parse(APP));
        finding
    };
    let none: Option<&[&str]> = Some(&[]);
    let mut findings = vec![
        locked(&Case(SERVE, LOST, [SERVE, SERVE], (1, 1000)), [none, none]),
        locked(&Case("com.shop.Live.m()", LOST, ["com.shop.Live.m()"; 2], (2, 100)), [None, None]),
        locked(&Case(TAKE, LOST, [TAKE, TAKE], (50, 100)), [none, Some(&["l"])]),
        // It has one shortcoming more, whatever lock it lacks.
        locked(&Case(POOL, LOST, [POOL, POOL], (1, 1000)), [none, Some(&["l"])]),
    ];
    sort(&mut findings);
    let order: Vec<&str> = findings.iter().filter_map(|finding| finding.method.as_deref()).collect();
    assert_eq!(order, [TAKE, "com.shop.Live.m()", SERVE, POOL]);
}

#[test]
fn a_block_in_which_a_class_was_initialized_comes_last_and_the_initializer_is_named() {
    let cases = [Case(SERVE, Kind::Interference, [TAKE, SERVE], (10, 10)), Case(TAKE, LOST, [LOAD, LOAD], (1, 100))];
    assert_eq!(ranked(&cases), [SERVE, TAKE]);
    let inside = witness([LOAD, LOAD], LOST);
    assert_eq!(initializer(Some(TAKE), &inside), Some("com.shop.Config.<clinit>"));
    assert_eq!(initializer(Some(LOAD), &inside), None, "it is the block itself");
    assert_eq!(initializer(Some(TAKE), &witness([TAKE, TAKE], LOST)), None);
    // A recorded trace knows blocks, and where in the program an event is.
    let mut recorded = witness([TAKE, TAKE], LOST);
    recorded.edges[0].from.location = "com.shop.Config.<clinit>:7".to_owned();
    assert_eq!(initializer(Some(TAKE), &recorded), Some("com.shop.Config.<clinit>"));
}

#[test]
fn an_application_is_its_packages_and_those_below() {
    let known = Application::parse("com.shop:");
    let (own, library) = (["com.shop.A.m()", "com.shop.sub.A.m()", "A.m()"], ["com.shopping.A.m()", "org.B.m()"]);
    assert!(own.iter().all(|method| !known.excludes(method)));
    assert!(library.iter().all(|method| known.excludes(method)));
    assert!(!Application::default().excludes("org.B.m()"), "nothing is known, so nothing is a library");
}

#[test]
fn a_hint_says_in_which_library_most_findings_lie() {
    use crate::report::hints;
    let told = |methods: &[&'static str]| {
        let findings: Vec<Finding> = methods.iter().map(|m| finding(&Case(m, LOST, [m, m], (1, 2)))).collect();
        hints(&findings, &Application::parse(APP))
    };
    let jetty = ["org.eclipse.jetty.io.A.m()", "org.eclipse.jetty.util.B.m()"];
    let expected = "2 of 3 findings are in org.eclipse.jetty: exclude=org.eclipse.jetty.* or include=com.shop.*";
    assert_eq!(told(&[jetty[0], jetty[1], TAKE]).as_deref(), Some(expected));
    assert_eq!(told(&[jetty[0], TAKE, SERVE]), None, "most are the user's own");
    assert_eq!(told(&jetty), None, "too few to say");
}

#[test]
fn a_hint_never_says_to_exclude_the_users_own() {
    use crate::report::hints;
    let told = |method: &'static str, own: &str| {
        let findings: Vec<Finding> = (0..3).map(|_| finding(&Case(method, LOST, [method, method], (1, 2)))).collect();
        hints(&findings, &Application::parse(own))
    };
    let beside = "3 of 3 findings are in com.acme.shop.pool: exclude=com.acme.shop.pool.* or include=com.acme.shop.app.*:org.own.*";
    assert_eq!(told("com.acme.shop.pool.Pool.m()", "com.acme.shop.app:org.own").as_deref(), Some(beside));
    assert_eq!(told("com.acme.shop.Pool.m()", "com.acme.shop.app"), None, "the pattern would match the user's own");
    assert_eq!(told("com.acme.shop.app.Pool.m()", "com.acme"), None, "it is the user's own");
}
