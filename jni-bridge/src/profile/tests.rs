//! From marks to facts, and from facts to what is watched.

use std::ptr;

use analysis_core::profile::{self, Class, Counts, FactKind, Profile};

use super::memory::{MARKS, PAIRS};
use super::{Judgement, Profiling};
use crate::names::Names;
use crate::shared::lock;

/// Sites by number, from 1.
const SITES: [&str; 9] = [
    "method\tapp.A\touter\t()V\tA.java\t1\t",
    "method\tapp.A\tinner\t()V\tA.java\t2\t",
    "method\tapp.A\tother\t()V\tA.java\t3\t",
    "read\tapp.A\tinner\t()V\tA.java\t4\tapp.B.x\t\tfield app.B.x",
    "write\tapp.A\tother\t()V\tA.java\t5\tapp.A.y\t\tfield app.A.y",
    "array-write\tapp.A\tother\t()V\tA.java\t6\t",
    "wait\tapp.A\tother\t()V\tA.java\t7\t",
    "read\tapp.A\tother\t()V\tA.java\t8\tapp.A.x\t\tfield app.A.x",
    "monitor\tapp.A\tother\t()V\tA.java\t9\t\t\tmonitor app.A",
];

const NO_BLOCK: fn(&str) -> bool = |_| false;

fn names() -> Names {
    let names = Names::default();
    for (site, text) in (1..).zip(SITES) {
        names.site(site, text);
    }
    // Blocks 0, 1 and 2 are the methods of sites 1, 2 and 3.
    (0..3).for_each(|block: u32| names.block(block, &(block + 1).to_string()));
    // An instruction named the subclass.
    names.declared(4, "app.A");
    names
}

/// What a run learns that has marked these sites and reached these pairs in blocks.
fn learnt(folder: &tempfile::TempDir, marks: &[usize], pairs: &[(u64, u64)]) -> Profile {
    let marks: Vec<(usize, u8)> = marks.iter().map(|site| (*site, 1)).collect();
    learnt_by(folder, &marks, pairs)
}

/// Like [`learnt`], with a mark for each site.
fn learnt_by(folder: &tempfile::TempDir, marks: &[(usize, u8)], pairs: &[(u64, u64)]) -> Profile {
    let path = folder.path().join("p.profile");
    let profiling = Profiling::new(&path, "all".to_owned(), "1".to_owned(), 0, true).expect("no file yet");
    let [at, of] =
        [(MARKS, 64), (PAIRS, 64 * 8)].map(|(which, bytes)| lock(&profiling.tables()).allocate(which, bytes));
    // SAFETY: inside of the tables.
    unsafe {
        marks.iter().for_each(|(site, mark)| ptr::write((at as *mut u8).add(*site), *mark));
        for (place, (block, site)) in pairs.iter().enumerate() {
            ptr::write((of as *mut u64).add(place), (block + 1) << 32 | site);
        }
    }
    let ended = profiling.finish(&names(), true, NO_BLOCK);
    assert_eq!((ended.warning, ended.guided), (None, None));
    profile::read(&path).expect("it is one").expect("it is written")
}

fn facts(profile: &Profile) -> Vec<String> {
    profile.facts().filter(|fact| fact.kind != FactKind::Specification).map(|fact| fact.to_string()).collect()
}

#[test]
fn a_field_is_the_one_that_is_declared_and_blocks_around_those_that_reach_it_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    // `inner` has read the field inside of `outer`; `other` has read another one.
    let profile = learnt(&folder, &[4], &[(1, 4), (0, 2), (2, 5)]);
    assert_eq!(facts(&profile), ["block app.A.inner()V", "block app.A.outer()V", "field app.A.x"]);
    assert_eq!(profile.runs, 1);
}

#[test]
fn a_field_that_was_only_read_after_the_write_is_shared_beside_one_of_its_class_that_is() {
    let [one, other] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    // Site 5 reads `app.A.y`.
    assert_eq!(facts(&learnt_by(&one, &[(5, 2)], &[])), [""; 0]);
    assert_eq!(facts(&learnt_by(&other, &[(4, 1), (5, 2)], &[])), ["field app.A.x", "field app.A.y"]);
}

#[test]
fn a_block_that_has_given_an_order_by_a_place_without_a_mark_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    // Site 8 accesses the same field, and was marked nowhere.
    let profile = learnt(&folder, &[4], &[(2, 8)]);
    assert_eq!(facts(&profile), ["block app.A.other()V", "field app.A.x"]);
}

#[test]
fn a_block_that_waits_is_kept_and_one_in_which_an_array_leaves_is_not() {
    let [one, other] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    assert_eq!(facts(&learnt(&one, &[], &[(2, 6)])), [""; 0]);
    assert_eq!(facts(&learnt(&other, &[], &[(2, 7)])), ["block app.A.other()V"]);
}

#[test]
fn a_later_run_watches_what_is_new_or_changed_whole_and_a_slice_in_turn() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.profile");
    let class = |superclass: &str| Class {
        superclass: superclass.to_owned(),
        counts: Counts { fields: 3, ..Counts::default() },
    };
    let mut known = Profile::new("all");
    known.add_class("app.A", 7, class("java.util.ArrayList"));
    known.add_class("app.B", 8, class("app.A"));
    known.add_fact(FactKind::Field, "app.A.x");
    known.add_fact(FactKind::Specification, "1");
    profile::update::<profile::Error>(&path, |_| Ok(known.clone())).expect("written");
    let new = |settings: &str, specification: &str, slices| {
        Profiling::new(&path, settings.to_owned(), specification.to_owned(), slices, true).expect("it is one")
    };
    let guided = new("all", "1", 0);
    assert_eq!(new("all", "1", 0).judge("app.A", 9), Judgement::Whole);
    let judged = [("app.A", 7), ("app.B", 8), ("app.C", 8)].map(|(name, sum)| guided.judge(name, sum));
    assert_eq!(judged, [Judgement::Guided, Judgement::Guided, Judgement::Whole]);
    let lines = guided.facts();
    let lines: Vec<&str> = lines.lines().collect();
    for line in ["field app.A.x", "field app.B.x", "shadow app.A", "class app.B", "extends app.B java.util.ArrayList"] {
        assert!(lines.contains(&line), "{line} is not among {lines:?}");
    }
    assert!(!lines.contains(&"block *"));
    let guided = guided.finish(&names(), true, NO_BLOCK).guided.expect("it is guided");
    assert_eq!((guided.runs, guided.new_classes, guided.fields.watched, guided.fields.all), (0, 1, 1, 6));
    // The run has seen nothing new and is not counted, and all classes are of one chain, so of one slice.
    let slice = new("all", "1", 2);
    let in_slice = known.slice_of("app.B", 2) == 0;
    assert_eq!(slice.judge("app.A", 7), if in_slice { Judgement::Slice } else { Judgement::Guided });
    assert!(new("all", "2", 0).facts().contains("block *\n"));
    assert!(!new("none", "1", 0).is_guided());
    assert_eq!(new("none", "1", 0).judge("app.A", 7), Judgement::Whole);
}

#[test]
fn a_run_that_has_lost_events_adds_nothing_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.profile");
    let profiling = Profiling::new(&path, "all".to_owned(), "1".to_owned(), 0, true).expect("no file yet");
    let warning = profiling.finish(&names(), false, NO_BLOCK).warning.expect("it says so");
    assert!(warning.ends_with("nothing is added to it, because this run has lost events"), "{warning}");
    assert!(!path.exists());
}

#[test]
fn a_run_that_does_not_learn_needs_a_profile() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.profile");
    let error = Profiling::new(&path, "all".to_owned(), "1".to_owned(), 0, false).expect_err("there is none");
    assert!(error.contains("there is no such file") && error.ends_with("run once without these"), "{error}");
}

/// Most of what a slice watches is not shared: its callers reach nothing that is.
#[test]
fn callers_of_a_place_are_kept_if_it_is_shared() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.profile");
    let profiling = Profiling::new(&path, "all".to_owned(), "1".to_owned(), 0, true).expect("no file yet");
    let at = lock(&profiling.tables()).allocate(MARKS, 64);
    // SAFETY: inside of the table.
    unsafe { ptr::write((at as *mut u8).add(4), 1) };
    profiling.judge("app.A", 1);
    profiling.called_from(4, "app.A.reads()V\n");
    profiling.called_from(5, "app.A.writes()V\n");
    // Between threads.
    profiling.called_from(7, "app.A.waits()V\n");
    profiling.finish(&names(), true, |_| true);
    let written = profile::read(&path).expect("it is one").expect("it is written");
    assert_eq!(written.facts_of(FactKind::Block).collect::<Vec<_>>(), ["app.A.reads()V", "app.A.waits()V"]);
}

/// A profile under version control changes only if there is something new in it.
#[test]
fn a_run_that_has_seen_nothing_new_leaves_the_file_unless_there_are_slices() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.profile");
    let runs = |slices: u64, specification: &str| {
        let profiling =
            Profiling::new(&path, "all".to_owned(), specification.to_owned(), slices, true).expect("a profile or none");
        assert_eq!(profiling.finish(&names(), true, NO_BLOCK).warning, None);
        profile::read(&path).expect("it is one").expect("it is written").runs
    };
    assert_eq!([runs(0, "1"), runs(0, "1"), runs(0, "2"), runs(0, "2")], [1, 1, 2, 2]);
    assert_eq!([runs(16, "2"), runs(16, "2")], [3, 4]);
}
