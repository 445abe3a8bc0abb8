//! The model, and its files.

use super::*;

fn class(superclass: &str, fields: u32) -> Class {
    Class { superclass: superclass.to_owned(), counts: Counts { fields, ..Counts::default() } }
}

/// Classes by name and superclass, each of checksum 1.
fn classes(pairs: &[(&str, &str)]) -> Profile {
    let mut profile = Profile::new("all");
    pairs.iter().for_each(|(name, above)| profile.add_class(*name, 1, class(above, 1)));
    profile
}

#[test]
fn a_class_is_unchanged_if_one_of_its_versions_is_the_same() {
    let mut profile = Profile::new("all");
    profile.add_class("a.B", 7, class("a.A", 1));
    profile.add_class("a.B", 8, class("a.A", 2));
    assert!(profile.is_unchanged("a.B", 7) && profile.is_unchanged("a.B", 8));
    assert!(!profile.is_unchanged("a.B", 9) && !profile.is_unchanged("a.C", 7));
    assert_eq!(
        profile.class("a.B").map(|(checksum, class)| (checksum, class.counts.fields)).collect::<Vec<_>>(),
        [(7, 1), (8, 2)]
    );
    assert_eq!(profile.class("a.C").count(), 0);
}

#[test]
fn facts_are_sorted_and_found_by_kind_and_text() {
    let mut profile = Profile::new("all");
    profile.add_fact(FactKind::Monitor, "b");
    profile.add_fact(FactKind::Locks, "");
    profile.add_fact(FactKind::Array, "c");
    profile.add_fact(FactKind::Monitor, "a");
    profile.add_fact(FactKind::Monitor, "b");
    let facts: Vec<String> = profile.facts().map(|fact| fact.to_string()).collect();
    assert_eq!(facts, ["array c", "locks", "monitor a", "monitor b"]);
    assert!(profile.has(FactKind::Monitor, "b") && !profile.has(FactKind::Array, "b"));
    for kind in FactKind::ALL {
        assert_eq!(FactKind::named(kind.name()), Some(kind));
    }
}

#[test]
fn all_classes_of_a_chain_are_in_the_slice_of_its_top() {
    let profile = classes(&[("C", "B"), ("B", "A"), ("A", "java.lang.Object"), ("D", "A")]);
    for name in ["A", "B", "C", "D"] {
        assert_eq!(profile.top(name), "A");
        assert_eq!(profile.slice_of(name, 64), profile.slice_of("A", 64));
    }
    assert_eq!(profile.top("unknown"), "unknown");
    assert!((0..64).all(|class| profile.slice_of(&format!("C{class}"), 8) < 8));
    assert_eq!(profile.below("A").collect::<Vec<_>>(), ["A", "B", "C", "D"]);
    assert_eq!(profile.below("B").collect::<Vec<_>>(), ["B", "C"]);
    assert_eq!(profile.below("java.lang.Object").count(), 5);
    assert_eq!(profile.below("unknown").collect::<Vec<_>>(), ["unknown"]);
}

#[test]
fn a_circle_of_superclasses_ends_somewhere() {
    let profile = classes(&[("A", "C"), ("B", "A"), ("C", "B"), ("D", "C"), ("E", "E")]);
    for name in ["A", "B", "C", "D"] {
        assert_eq!(profile.top(name), "A");
    }
    assert_eq!(profile.top("E"), "E");
    assert_eq!(profile.below("B").collect::<Vec<_>>(), ["A", "B", "C", "D"]);
}

#[test]
fn a_run_replaces_the_versions_of_its_classes_and_adds_facts() {
    let mut profile = classes(&[("A", "O"), ("B", "O")]);
    profile.add_class("A", 2, class("O", 2));
    profile.add_fact(FactKind::Field, "A.x");
    let mut run = Profile::new("all");
    run.add_class("A", 3, class("P", 1));
    run.add_fact(FactKind::Field, "A.y");
    profile.record(&run);
    assert_eq!(profile.runs, 1);
    assert!(profile.is_unchanged("A", 3) && !profile.is_unchanged("A", 1) && !profile.is_unchanged("A", 2));
    assert!(profile.is_unchanged("B", 1));
    assert_eq!(profile.facts_of(FactKind::Field).collect::<Vec<_>>(), ["A.x", "A.y"]);
}

#[test]
fn a_run_with_other_settings_leaves_the_facts_alone() {
    let mut profile = classes(&[("A", "O"), ("B", "O")]);
    profile.add_fact(FactKind::Field, "A.x");
    let mut run = Profile::new("none");
    run.add_class("B", 1, class("O", 1));
    profile.record(&run);
    assert_eq!(profile.settings(), "none");
    assert!(!profile.is_unchanged("A", 1) && profile.is_unchanged("B", 1) && profile.has(FactKind::Field, "A.x"));
}

#[test]
fn a_merge_is_the_union_and_runs_before_the_branches_parted_count_once() {
    let mut one = classes(&[("A", "O")]);
    one.runs = 7;
    let mut other = classes(&[("A", "O"), ("B", "A")]);
    other.add_class("A", 2, class("O", 5));
    other.runs = 5;
    other.add_fact(FactKind::Block, "A.f()V");
    one.merge(&other).expect("the same settings");
    assert_eq!((one.runs, one.class("A").count(), one.class("B").count()), (7, 2, 1));
    assert!(one.has(FactKind::Block, "A.f()V"));
    let error = one.clone().merge(&Profile::new("none")).expect_err("other settings");
    assert_eq!(
        error.to_string(),
        "its runs watched 'none', the others 'all'; merge only profiles of runs with the same settings"
    );
}

#[test]
fn classes_are_forgotten_with_the_facts_of_their_members() {
    let mut profile = classes(&[("a.B", "O"), ("a.B$C", "O"), ("D", "O")]);
    let facts = [
        (FactKind::Field, "a.B.x"),
        (FactKind::Field, "a.B$C.x"),
        (FactKind::Block, "a.B.has a space(La/x;)V"),
        (FactKind::Monitor, "a.B"),
        (FactKind::Monitor, "x.Unknown"),
        (FactKind::Call, "x.Unknown.map"),
        (FactKind::Locks, ""),
    ];
    facts.iter().for_each(|(kind, text)| profile.add_fact(*kind, *text));
    let owners: Vec<&str> = facts.iter().map(|(kind, text)| profile.class_of(Fact { kind: *kind, text })).collect();
    assert_eq!(owners, ["a.B", "a.B$C", "a.B", "a.B", "x.Unknown", "x.Unknown", ""]);
    assert_eq!(profile.clone().forget_classes(|name| name == "a.B"), (1, 3));
    assert_eq!(profile.clone().forget_classes(|name| name.ends_with("Unknown")), (0, 2));
    assert_eq!(profile.forget_classes(|_| true), (3, 6));
    assert_eq!(profile.facts().map(|fact| fact.to_string()).collect::<Vec<_>>(), ["locks"]);
    assert!(profile.forget_fact(FactKind::Locks, "") && !profile.forget_fact(FactKind::Locks, ""));
}
