//! The text of candidates, and their file.

use std::path::Path;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::*;

#[test]
fn what_others_pass_in_several_steps_is_written_and_read_and_nothing_else_is() {
    let mut all = Candidates::new();
    all.add(through());
    let text = all.to_text();
    let steps = "  step b 0 com.acme.Desk.take:4 read in\n  gate b com.acme.Desk.take:3 acquire\n  \
                 step b 1 com.acme.Desk.take:5 write between\n  step c - com.acme.Desk.give:9 write out\nend\n";
    assert!(text.ends_with(steps), "{text}");
    assert_eq!(Candidates::parse(text.as_bytes(), "c.txt").expect("a list"), all);
    assert_eq!((through().rank(), through().places().count()), (Rank::Steps, 8));
    let id = through().id();
    let line = |from: &str, to: &str| {
        let error = Candidates::parse(text.replacen(from, to, 1).as_bytes(), "c.txt").expect_err(to);
        error.to_string().replacen("c.txt:", "", 1)
    };
    let next = "the threads of steps are 'b', 'c' and so on in the order in which they come; the next one is";
    for (from, to, expected) in [
        ("step b 0", "step a 0", "10: expected 'step THREAD OBJECT PLACE'".to_owned()),
        ("step b 0", "step b x", "10: expected 'step THREAD OBJECT PLACE'".to_owned()),
        ("step b 0", "step b 300", "10: expected 'step THREAD OBJECT PLACE'".to_owned()),
        ("step b 0", "step c 0", format!("10: {next} 'b' at most")),
        ("step c -", "step d -", format!("13: {next} 'c' at most")),
        ("gate b", "gate c", "11: a line 'gate' of a thread that has no step above; put it behind the first step of its thread".to_owned()),
        ("  step b 1", "  gate b com.acme.Desk.take:3 acquire\n  step b 1", "12: a second line 'gate' of one candidate; remove one of them".to_owned()),
        (
            "step b 1",
            "step b 2",
            "12: the objects of steps are 0 for that of the first place, and from 1 on in the order in which they come; the next one is 1 at most".to_owned(),
        ),
        ("step b 1", "step c 1", "3: the id is not that of the candidate's places; write ".to_owned()),
        (
            "  step c - com.acme.Desk.give:9 write out\n",
            "",
            "3: there are at least two steps, the last of which is at the place 'other', and there is no line 'enter' beside them".to_owned(),
        ),
    ] {
        let told = line(from, to);
        assert!(told.starts_with(&expected), "{to}: {told}");
    }
    assert_ne!(Candidate { steps: through().steps[1..].to_vec(), ..through() }.id(), id);
}

#[test]
fn the_packages_of_the_user_are_kept_with_the_candidates() {
    let text = text().replace("runs 3\n", "own b\\u0020c\nruns 3\nown com.acme\nown\nown com.acme\n");
    let all = parse(&text).expect("candidates");
    assert_eq!(all.own.packages(), ["", "b c", "com.acme"]);
    let written = all.to_text();
    assert!(
        written.starts_with("regiontrack candidates 1\nruns 3\nown\nown b\\u0020c\nown com.acme\ncandidate "),
        "{written}"
    );
    assert_eq!(parse(&written).as_ref(), Ok(&all));
    // The merged list knows what either of two files knows.
    let mut other = parse(&self::text()).expect("candidates");
    assert!(other.own.is_unknown());
    assert_eq!((other.add_new(&all), other.own.packages()), (0, all.own.packages()));
    let mut merged = parse(&self::text()).expect("candidates");
    merged.merge(&all);
    assert_eq!(merged.own, all.own);
    let told = parse("regiontrack candidates 1\nown \\u00\nruns 1\nend\n").expect_err("no name");
    assert!(told.contains("2: '\\u00' is no name"), "{told}");
}

/// Pieces of names that a careless format would confuse with its own.
const PIECES: &[&str] = &[
    "a",
    "com.acme.",
    "$1",
    " ",
    "  ",
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
    "(x.Y)",
    "candidate",
    "block",
    "regiontrack candidates 1",
    "\u{7f}",
    "\"",
    ":",
    "[]",
    "read",
];

fn name(random: &mut Pcg64) -> String {
    (0..random.random_range(1..4)).map(|_| PIECES[random.random_range(0..PIECES.len())]).collect()
}

fn any_place(random: &mut Pcg64) -> Place {
    let location = format!("{}x.{}y:{}", name(random), name(random), random.random_range(1..3));
    let action = Action::ALL[random.random_range(0..4)];
    let name = if random.random_bool(0.2) { String::new() } else { name(random) };
    Place::new(location, action, name).expect("a place")
}

fn random_candidates(seed: u64) -> Candidates {
    let mut random = Pcg64::seed_from_u64(seed);
    // Few candidates, so that lists have some in common.
    let mut few = Pcg64::seed_from_u64(seed % 2);
    let mut all = Candidates { runs: random.random_range(0..3), ..Candidates::default() };
    let count = random.random_range(0..3);
    let mut own: Vec<String> = (0..count).map(|_| name(&mut random)).collect();
    own.extend(random.random_bool(0.2).then(String::new));
    all.own.merge(&Application::of(own));
    for _ in 0..random.random_range(0..5) {
        let from = if random.random_bool(0.5) { &mut few } else { &mut random };
        let candidate = Candidate {
            block: name(from),
            variable: name(from),
            first: any_place(from),
            hold: any_place(from),
            last: any_place(from),
            other: any_place(from),
            enter: from.random_bool(0.5).then(|| any_place(from)),
            steps: Vec::new(),
        };
        let tries = random.random_range(0..25);
        let held = random.random_range(0..=tries);
        let met = random.random_range(0..=held);
        let counts = trials(tries, held, met);
        let is_confirmed = random.random_bool(0.2);
        // The text does not say so for a candidate that is not open.
        let was_confirmed = !is_confirmed && counts.state().is_open() && random.random_bool(0.2);
        all.add_trials(candidate, Trials { is_confirmed, was_confirmed, ..counts });
    }
    all
}

fn parse(text: &str) -> Result<Candidates, String> {
    Candidates::parse(text.as_bytes(), "c.txt").map_err(|error| error.to_string())
}

#[test]
fn candidates_are_what_their_text_says_whatever_their_names_are() {
    for seed in 0..2_000 {
        let all = random_candidates(seed);
        let text = all.to_text();
        assert_eq!(parse(&text).as_ref(), Ok(&all), "seed {seed}:\n{text}");
        let windows = text.replace('\n', "\r\n") + "\r\n \n";
        assert_eq!(parse(&windows).as_ref(), Ok(&all), "seed {seed}:\n{text}");
        let edited: String = text.lines().map(|line| format!("# so\n\n{}\n", line.trim_start_matches(' '))).collect();
        assert_eq!(parse(&edited).as_ref(), Ok(&all), "seed {seed}:\n{text}");
    }
}

#[test]
fn no_part_of_a_file_is_one() {
    for seed in 0..200 {
        let text = random_candidates(seed).to_text().into_bytes();
        for end in 0..text.len() {
            let part = Candidates::parse(&text[..end], "c.txt");
            assert!(part.is_err(), "seed {seed}, {end} of {} bytes", text.len());
        }
    }
}

fn merged(one: &Candidates, other: &Candidates) -> Candidates {
    let mut merged = one.clone();
    merged.merge(other);
    merged
}

#[test]
fn merges_commute_and_associate_and_lose_nothing() {
    for seed in 0..1_000 {
        let [a, b, c] = [seed, seed + 3_000, seed + 6_000].map(random_candidates);
        let ab = merged(&a, &b);
        assert_eq!(ab, merged(&b, &a), "seed {seed}");
        assert_eq!(merged(&ab, &c), merged(&a, &merged(&b, &c)), "seed {seed}");
        assert_eq!(merged(&a, &Candidates::new()), a, "seed {seed}");
        let tries = |all: &Candidates| all.in_order().iter().map(|(_, trials)| trials.tries).sum::<u64>();
        assert_eq!((ab.runs, tries(&ab)), (a.runs + b.runs, tries(&a) + tries(&b)), "seed {seed}");
    }
}

#[test]
fn what_files_have_in_common_counts_once_if_it_is_known() {
    for seed in 0..1_000 {
        let [base, a, b] = [seed, seed + 3_000, seed + 6_000].map(random_candidates);
        let (ours, theirs) = (merged(&base, &a), merged(&base, &b));
        let mut all = base.clone();
        all.merge_since(&base, &ours);
        all.merge_since(&base, &theirs);
        assert_eq!(all, merged(&ours, &b), "seed {seed}");
    }
}

/// With the lines of a candidate.
const TEXT: &str = "regiontrack candidates 1
runs 3
candidate ID new tries=3 held=2 met=1
  block com.acme.Account.withdraw(int)
  variable Account.balance
  first com.acme.Account.balance:30 read balance
  hold com.acme.Account.balance:30 release
  last com.acme.Account.withdraw:14 write balance
  other com.acme.Account.withdraw:14 write balance
  enter com.acme.Account.withdraw:13 acquire
end
";

fn text() -> String {
    TEXT.replace("ID", &account().id())
}

#[test]
fn the_text_is_specified() {
    let mut all = Candidates { runs: 3, ..Candidates::default() };
    all.add_trials(account(), trials(3, 2, 1));
    assert_eq!(all.to_text(), text());
    assert_eq!(parse(&text()), Ok(all));
    assert_eq!(account().id(), "070d994f4c00");
}

#[test]
fn the_state_follows_from_the_counts_unless_it_is_confirmed() {
    let with = |state: &str| {
        let all = parse(&text().replace(" new ", &format!(" {state} "))).expect("candidates");
        all.trials(&account()).expect("it is there").state()
    };
    assert_eq!([with("impossible"), with("not-reached")], [State::New, State::New]);
    assert_eq!([with("confirmed"), with("again")], [State::Confirmed, State::Again]);
}

#[test]
fn an_error_names_the_file_the_line_and_the_fix() {
    let form = "expected 'candidate ID STATE tries=N held=N met=N'";
    let id = account().id();
    let begin = format!("candidate {id} new tries=3 held=2 met=1");
    let escape = "write white space but single spaces, control characters and backslashes as \\uXXXX";
    for (find, replace, error) in [
        (
            "  block",
            "  blok",
            "4: unknown word 'blok'; expected one of block, candidate, end, enter, first, gate, hold, last, other, own, runs, step, variable"
                .to_owned(),
        ),
        ("runs 3", "runs +3", "2: expected 'runs N'".to_owned()),
        ("held=2", "held=x", format!("3: {form}")),
        ("held=2 met=1", "held=2", format!("3: {form}")),
        ("held=2", "held=4", "3: no runs have these counts: expected met, at most held, at most tries".to_owned()),
        (
            " new ",
            " old ",
            "3: unknown state 'old'; expected one of confirmed, again, new, impossible, not-reached".to_owned(),
        ),
        ("Account.balance\n", "\n", format!("5: '' is no name; {escape}")),
        ("Account.balance\n", "a\\b\n", format!("5: 'a\\b' is no name; {escape}")),
        (
            "30 release",
            "0 release",
            "7: 'com.acme.Account.balance:0 release' is no place; expected 'CLASS.METHOD:LINE ACTION NAME', \
             without lines 'CLASS.METHOD(TYPES):@INDEX ACTION NAME', ACTION one of read, write, acquire, release"
                .to_owned(),
        ),
        ("13 acquire", "12 acquire", "3: the id is not that of the candidate's places; write ENTER12".to_owned()),
        ("  hold com.acme.Account.balance:30 release\n", "", "3: the candidate has no line 'hold'; add it".to_owned()),
        ("  hold", "  first", "7: a second line 'first' of one candidate; remove one of them".to_owned()),
        (
            &*begin,
            "",
            "4: 'block' stands before the first candidate; put it behind the line 'candidate ..' of its own".to_owned(),
        ),
        (
            &*begin,
            "<<<<<<< HEAD",
            "3: a conflict of a merge; write what both sides come from and the sides to files (git show :1:./FILE > BASE, \
             git show :2:./FILE > OURS, git show :3:./FILE > THEIRS) and join them: regiontrack candidates merge --base BASE OURS THEIRS -o FILE"
                .to_owned(),
        ),
        (
            "candidates 1",
            "candidates 2",
            "1: version '2' of the format; this RegionTrack reads version 1: use the one that has written it".to_owned(),
        ),
        ("\nend\n", "\nend\nend\n", "12: text after 'end'; remove it, or put it before that line".to_owned()),
        ("\nend\n", "\nend x\nend\n", "11: expected 'end'".to_owned()),
    ] {
        let edited = text().replacen(find, replace, 1);
        assert_ne!(edited, text(), "{find}");
        let other = Candidate { enter: Some(place("com.acme.Account.withdraw:12 acquire")), ..account() };
        assert_eq!(parse(&edited), Err(format!("c.txt:{}", error.replace("ENTER12", &other.id()))));
    }
    let candidate = text().lines().skip(2).take(8).collect::<Vec<_>>().join("\n");
    let twice = text().replace("\nend", &format!("\n{candidate}\nend"));
    assert_eq!(parse(&twice), Err(format!("c.txt:11: the candidate {id} is there already; remove one of them")));
    for (text, error) in [
        ("", "is empty; remove it, and compute it again: regiontrack candidates TRACE -o FILE"),
        (
            "regiontrack profile 1\nend\n",
            "is no list of candidates: expected 'regiontrack candidates 1' as its first line",
        ),
        (
            "regiontrack candidates 1\nruns 1\nend",
            "is cut off: its last line is not 'end'; restore it, or remove it and compute it again",
        ),
        ("regiontrack candidates 1\nend\n", "has no line 'runs'; add it"),
    ] {
        assert_eq!(parse(text), Err(format!("c.txt: {error}")));
    }
    let error =
        Candidates::parse(b"regiontrack candidates 1\nruns \xff\nend\n", "c").expect_err("not UTF-8").to_string();
    assert_eq!(error, "c:2: not UTF-8; save the file as UTF-8");
}

fn add_run(path: &Path) {
    let grown = update(path, |all| {
        let mut all = all.unwrap_or_default();
        all.add(account());
        let outcome = Outcome { held: true, met: false, confirmed: false };
        all.add_run([(&*account().id(), outcome)]);
        Ok::<Candidates, Error>(all)
    });
    grown.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn runs_that_end_at_once_are_all_counted_and_a_broken_file_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("new/c.txt");
    assert_eq!(read(&path).expect("no error"), None);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..25).for_each(|_| add_run(&path)));
        }
    });
    let all = read(&path).expect("candidates").expect("a file");
    assert_eq!((all.runs, all.trials(&account())), (100, Some(&trials(100, 100, 0))));
    std::fs::write(&path, "regiontrack candidates 1\n").expect("written");
    assert!(read(&path).is_err());
    assert!(update(&path, |_| -> Result<Candidates, Error> { panic!("there are none") }).is_err());
    assert_eq!(std::fs::read_to_string(&path).expect("readable"), "regiontrack candidates 1\n");
    write(&path, || Ok::<_, Error>(Candidates::new())).expect("written");
    assert_eq!(read(&path).expect("candidates"), Some(Candidates::new()));
}
