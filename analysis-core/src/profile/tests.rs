//! The model, and its files.

use std::path::Path;
use std::process::Command;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

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
    let mut profile = classes(&[("C", "B"), ("B", "A"), ("A", "java.lang.Object"), ("D", "A")]);
    profile.add_class("D", 2, class("X", 1));
    for name in ["A", "B", "C", "D"] {
        assert_eq!(profile.top(name), "A");
        assert_eq!(profile.slice_of(name, 64), profile.slice_of("A", 64));
    }
    assert_eq!(profile.top("unknown"), "unknown");
    assert!((0..64).all(|class| profile.slice_of(&format!("C{class}"), 8) < 8));
    assert_eq!(profile.below("A").collect::<Vec<_>>(), ["A", "B", "C", "D"]);
    assert_eq!(profile.below("B").collect::<Vec<_>>(), ["B", "C"]);
    assert_eq!(profile.below("java.lang.Object").count(), 5);
    assert_eq!(profile.below("X").collect::<Vec<_>>(), ["D", "X"]);
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

/// Pieces of names that a careless format would confuse with its own.
const PIECES: &[&str] = &[
    "a",
    "com.acme.",
    "$1",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\\",
    "\\u0020",
    "\u{85}",
    "\u{2028}",
    "\u{a0}",
    "\u{feff}",
    "\0",
    "end",
    "#",
    "-",
    "<<<<<<< ",
    "é",
    "日本",
    "😀",
    "=",
    "(Lx/Y;)V",
    "class",
    "locks",
    "regiontrack profile 1",
    "\u{7f}",
    "\"",
];

fn name(random: &mut Pcg64) -> String {
    let name: String = (0..random.random_range(1..4)).map(|_| PIECES[random.random_range(0..PIECES.len())]).collect();
    if random.random_bool(0.3) { "-".to_owned() } else { name }
}

fn grow(profile: &mut Profile, random: &mut Pcg64, most: usize) {
    profile.runs += random.random_range(0..3);
    for _ in 0..random.random_range(0..most) {
        let superclass = if random.random_bool(0.1) { String::new() } else { name(random) };
        let [fields, arrays, calls, monitors, blocks] = std::array::from_fn(|_| random.random_range(0..3));
        let counts = Counts { fields, arrays, calls, monitors, blocks };
        profile.add_class(name(random), random.random_range(0..3) << 62, Class { superclass, counts });
        let kind = FactKind::ALL[random.random_range(0..FactKind::ALL.len())];
        let text = match kind {
            FactKind::Locks => String::new(),
            FactKind::Field => name(random) + ".x",
            FactKind::Block => name(random) + ".m(I)V",
            _ => name(random),
        };
        profile.add_fact(kind, text);
    }
}

fn random_profile(seed: u64) -> Profile {
    let mut random = Pcg64::seed_from_u64(seed);
    let mut profile = Profile::new(["", "arrays=refs nested=exact", " a  b\\\t"][seed as usize % 3]);
    grow(&mut profile, &mut random, 8);
    profile
}

fn parse(text: &str) -> Result<Profile, String> {
    Profile::parse(text.as_bytes(), "p.profile").map_err(|error| error.to_string())
}

#[test]
fn a_profile_is_what_its_text_says_whatever_its_names_are() {
    for seed in 0..2_000 {
        let profile = random_profile(seed);
        let text = profile.to_text();
        assert_eq!(parse(&text).as_ref(), Ok(&profile), "seed {seed}:\n{text}");
        let windows = format!("\u{feff}{}\r\n# so\r\n \n", text.replace('\n', "\r\n"));
        assert_eq!(parse(&windows).as_ref(), Ok(&profile), "seed {seed}:\n{text}");
        let (first, rest) = text.strip_suffix("end\n").and_then(|text| text.split_once('\n')).expect("lines");
        let reversed: String = rest.lines().rev().map(|line| format!("{line}\n# so\n\n{line}\n")).collect();
        assert_eq!(parse(&format!("\n# p\n{first}\n{reversed}end\n")).as_ref(), Ok(&profile), "seed {seed}:\n{text}");
    }
}

#[test]
fn no_part_of_a_profile_is_a_profile() {
    for seed in 0..100 {
        let text = random_profile(seed).to_text().into_bytes();
        for end in 0..text.len() {
            let part = Profile::parse(&text[..end], "p.profile");
            assert!(part.is_err(), "seed {seed}, {end} of {} bytes", text.len());
        }
    }
}

#[test]
fn the_text_is_sorted_and_has_a_line_for_each_fact() {
    let mut profile = Profile::new("arrays=refs nested=exact");
    profile.runs = 7;
    let counts = Counts { fields: 3, arrays: 0, calls: 4, monitors: 1, blocks: 5 };
    profile.add_class("a.B", 0x123, Class { superclass: "a.A".to_owned(), counts });
    profile.add_class("a.A", u64::MAX, class("", 0));
    profile.add_fact(FactKind::Monitor, "a.B");
    profile.add_fact(FactKind::Block, "a.B.has a space()V");
    profile.add_fact(FactKind::Locks, "");
    let text = "regiontrack profile 1\n\
                runs 7\n\
                settings arrays=refs nested=exact\n\
                block a.B.has\\u0020a\\u0020space()V\n\
                class a.A ffffffffffffffff - fields=0 arrays=0 calls=0 monitors=0 blocks=0\n\
                class a.B 0000000000000123 a.A fields=3 arrays=0 calls=4 monitors=1 blocks=5\n\
                locks\n\
                monitor a.B\n\
                end\n";
    assert_eq!(profile.to_text(), text);
}

#[test]
fn an_error_names_the_file_the_line_and_the_fix() {
    let long = "expected 'class NAME CHECKSUM SUPERCLASS fields=N arrays=N calls=N monitors=N blocks=N'";
    let method = "expected 'block CLASS.METHOD(PARAMETERS)RESULT, with types as class files have them'";
    let escape = "write white space, control characters and backslashes as \\uXXXX";
    let words = "array, block, call, class, end, field, locks, monitor, runs, settings, specification";
    for (line, error) in [
        ("fild a.B.x", format!("4: unknown word 'fild'; expected one of {words}")),
        (" field a", format!("4: unknown word ''; expected one of {words}")),
        ("field", format!("4: '' is no name; {escape}")),
        ("field  a", format!("4: ' a' is no name; {escape}")),
        ("field a b", format!("4: 'a b' is no name; {escape}")),
        ("field a\\x", format!("4: 'a\\x' is no name; {escape}")),
        ("field \\u+123", format!("4: '\\u+123' is no name; {escape}")),
        ("field \\ud800", format!("4: '\\ud800' is no name; {escape}")),
        ("field a\tb", format!("4: 'a\tb' is no name; {escape}")),
        ("locks a", "4: expected 'locks'".to_owned()),
        ("field a", "4: expected 'field CLASS.NAME'".to_owned()),
        ("block a.B.m", format!("4: {method}")),
        ("block a.B.m(I", format!("4: {method}")),
        ("runs x", "4: expected 'runs N'".to_owned()),
        ("runs +1", "4: expected 'runs N'".to_owned()),
        ("runs", "4: expected 'runs N'".to_owned()),
        ("end x", "4: expected 'end'".to_owned()),
        ("class a 0123 b fields=0 arrays=0 calls=0 monitors=0 blocks=0", format!("4: {long}")),
        ("class a 0123456789abcdeF b fields=0 arrays=0 calls=0 monitors=0 blocks=0", format!("4: {long}")),
        ("class a 0123456789abcdef b fields=0 arrays=0 calls=0 blocks=0 monitors=0", format!("4: {long}")),
        ("class a 0123456789abcdef b fields=4294967296 arrays=0 calls=0 monitors=0 blocks=0", format!("4: {long}")),
        ("class a 0123456789abcdef  fields=0 arrays=0 calls=0 monitors=0 blocks=0", format!("4: '' is no name; {escape}")),
        (
            "settings b",
            "4: its runs watched 'b', the others 'a'; merge only profiles of runs with the same settings".to_owned(),
        ),
        (
            "<<<<<<< HEAD",
            "4: a conflict of a merge; write both sides to files (git show :2:./FILE > OURS, git show :3:./FILE > THEIRS) \
             and join them: regiontrack profile merge OURS THEIRS -o FILE"
                .to_owned(),
        ),
        (
            "regiontrack profile 2",
            "4: version '2' of the format; this RegionTrack reads version 1: use the one that has written it".to_owned(),
        ),
        ("end", "5: text after 'end'; remove it, or put it before that line".to_owned()),
    ] {
        let text = format!("regiontrack profile 1\nruns 1\nsettings a\n{line}\nend\n");
        assert_eq!(parse(&text), Err(format!("p.profile:{error}")));
    }
    for (text, error) in [
        ("", "is empty; remove it, and the next run writes a new profile"),
        ("T0|w(x)|1\n", "is no profile: expected 'regiontrack profile 1' as its first line"),
        (
            "regiontrack profile 1\nruns 1\nsettings\nend",
            "is cut off: its last line is not 'end'; restore it, or remove it and the next run writes a new one",
        ),
        ("regiontrack profile 1\nruns 1\nend\n", "has no line 'settings'; add it"),
        ("regiontrack profile 1\nsettings\nend\n", "has no line 'runs'; add it"),
    ] {
        assert_eq!(parse(text), Err(format!("p.profile: {error}")));
    }
    let error = Profile::parse(b"regiontrack profile 1\nfield \xff\nend\n", "p").expect_err("not UTF-8").to_string();
    assert_eq!(error, "p:2: not UTF-8; save the file as UTF-8");
}

#[test]
fn merges_commute_associate_and_are_idempotent() {
    for seed in 0..1_000 {
        let [a, b, c] = [seed, seed + 3_000, seed + 6_000].map(random_profile);
        let merged = |one: &Profile, other: &Profile| {
            let mut merged = one.clone();
            merged.merge(other).expect("the same settings");
            merged
        };
        let ab = merged(&a, &b);
        assert_eq!(ab, merged(&b, &a), "seed {seed}");
        assert_eq!(merged(&ab, &c), merged(&a, &merged(&b, &c)), "seed {seed}");
        assert_eq!(merged(&ab, &b), ab, "seed {seed}");
        assert_eq!(merged(&a, &a), a, "seed {seed}");
        assert!(b.facts().all(|fact| ab.has(fact.kind, fact.text)), "seed {seed}");
    }
}

#[test]
fn what_git_merges_line_by_line_is_the_union() {
    for seed in 0..20 {
        let mut random = Pcg64::seed_from_u64(seed);
        let base = random_profile(seed);
        let [mut ours, mut theirs] = [base.clone(), base.clone()];
        grow(&mut ours, &mut random, 20);
        grow(&mut theirs, &mut random, 20);
        let folder = tempfile::tempdir().expect("a folder");
        let [o, b, t] = [("ours", &ours), ("base", &base), ("theirs", &theirs)].map(|(name, profile)| {
            let path = folder.path().join(name);
            std::fs::write(&path, profile.to_text()).expect("written");
            path
        });
        let output = Command::new("git").args(["merge-file", "-p", "--union"]).args([o, b, t]).output();
        let Ok(output) = output else { return };
        ours.merge(&theirs).expect("the same settings");
        assert_eq!(Profile::parse(&output.stdout, "merged").expect("a profile"), ours, "seed {seed}");
    }
}

fn add(path: &Path, fact: &str) {
    let grown = update(path, |profile| {
        let mut profile = profile.unwrap_or_else(|| Profile::new("all"));
        let mut run = Profile::new("all");
        run.add_fact(FactKind::Field, fact);
        profile.record(&run);
        Ok::<Profile, Error>(profile)
    });
    grown.unwrap_or_else(|error| panic!("{error}"));
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    entries.map(|name| name.into_string().expect("UTF-8")).collect()
}

#[test]
fn updates_at_once_lose_nothing_and_leave_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("new/folder/p.profile");
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let path = &path;
            scope.spawn(move || (0..25).for_each(|update| add(path, &format!("C.x{thread}_{update}"))));
        }
    });
    let profile = read(&path).expect("a profile").expect("a file");
    assert_eq!((profile.runs, profile.facts().count()), (200, 200));
    if cfg!(unix) {
        assert_eq!(names_in(path.parent().expect("a folder")), ["p.profile"]);
    }
}

#[test]
fn a_broken_profile_is_an_error_and_stays_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.profile");
    assert_eq!(read(&path).expect("no error"), None);
    for text in ["", "x", "regiontrack profile 1\n"] {
        std::fs::write(&path, text).expect("written");
        assert!(read(&path).is_err());
        let updated = update(&path, |_| -> Result<Profile, Error> { panic!("there is no profile") });
        assert!(updated.is_err());
        assert_eq!(std::fs::read_to_string(&path).expect("readable"), text);
    }
    assert!(read(folder.path()).is_err() && update(folder.path(), |_| Ok::<_, Error>(Profile::new(""))).is_err());
}

#[test]
fn an_update_that_fails_changes_nothing_and_the_next_one_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.profile");
    add(&path, "C.x");
    let before = std::fs::read(&path).expect("readable");
    let failed = update(&path, |profile| {
        let differ = profile.expect("a profile").merge(&Profile::new("none")).expect_err("other settings");
        Err::<Profile, Error>(Error { file: "p".to_owned(), line: None, fault: differ.into() })
    });
    assert!(failed.is_err());
    assert_eq!(std::fs::read(&path).expect("readable"), before);
    add(&path, "C.y");
    assert_eq!(read(&path).expect("a profile").expect("a file").runs, 2);
}

#[cfg(unix)]
#[test]
fn a_link_leads_to_the_file_and_its_mode_stays() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().expect("a folder");
    let (path, link) = (folder.path().join("p.profile"), folder.path().join("link"));
    add(&path, "C.x");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("its mode");
    symlink(&path, &link).expect("a link");
    add(&link, "C.y");
    assert_eq!(read(&path).expect("a profile").expect("a file").runs, 2);
    assert_eq!(std::fs::metadata(&path).expect("a file").permissions().mode() & 0o777, 0o640);
}
