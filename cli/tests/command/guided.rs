//! `regiontrack refine`, with and without `--profile`, on a script that stands for a program under the agent: it writes a
//! report, and adds to the profile.

use crate::runner::{Folder, Ran};

/// In its n-th run it adds the field `An` to the profile if the file `learns` has the word `n`, and finds `a.B.c()` violated if
/// `violates` has it. A profile that nobody has made has no facts, and is made without any.
const PROGRAM: &str = r#"
echo run >> runs
n=$(grep -c run runs)
verdict=serializable guided=
[ -e "$REGIONTRACK_PROFILE" ] && verdict=undecided guided='"guided":{"runs":1},'
facts=$(grep ^field "$REGIONTRACK_PROFILE" 2> /dev/null)
grep -qw $n learns && facts=$(printf '%s\nfield a.B.A%s' "$facts" $n)
printf 'regiontrack profile 1\nruns %s\nsettings\n%s\nend\n' $n "$facts" > "$REGIONTRACK_PROFILE"
violations=
grep -qw $n violates && verdict=non-serializable violations='{"method":"a.B.c()","count":1}'
printf '{"verdict":"%s",'"$guided"'"violations":[%s],"waits_inside":[],"warnings":[]}' $verdict "$violations" > "$REGIONTRACK_REPORT"
"#;

/// A refinement of it, with these options.
fn refine(folder: &Folder, options: &[&str]) -> Ran {
    let before = ["refine", "--agent", "agent", "--profile", "app.profile", "--rounds", "9"];
    folder.run(&[&before, options, &["--", "sh", "run.sh"]].concat())
}

/// A folder with the program, which learns and is violated in these runs.
fn folder(learns: &str, violates: &str) -> Folder {
    let folder = Folder::new().with("run.sh", PROGRAM).with("agent", "").with("runs", "");
    folder.with("learns", learns).with("violates", violates)
}

#[test]
fn a_guided_refinement_says_what_guided_it() {
    let folder = folder("1", "1");
    let expected = "\
# Refined by regiontrack, engine reach, from runs of sh run.sh, guided by app.profile
#
# round  dynamic violations  methods violated  taken out  in all
#     1                   1                 1          1       1
#     2                   0                 0          0       1
#     3                   0                 0          0       1
#
default
- a.B.c()  # round 1: 1 violation
";
    let refined = refine(&folder, &[]);
    assert_eq!((refined.code, refined.stdout.as_str()), (0, expected));
}

#[test]
fn a_clean_round_that_saw_more_shared_than_its_profile_knew_does_not_count() {
    let expected = "\
#     1                   0                 0          0       0
#     2                   0                 0          0       0
#     3                   0                 0          0       0
#     4                   0                 0          0       0
#
# rounds not counted as clean, for more was seen to be shared than the profile knew: 2
default
";
    // The first round has no profile and counts; the second one learns, and the count begins again.
    let refined = refine(&folder("1 2", ""), &[]);
    assert!(refined.code == 0 && refined.stdout.ends_with(expected), "{}", refined.stdout);
    assert_eq!(refined.stderr.matches("2: not counted as clean").count(), 1, "{}", refined.stderr);
    let refined = refine(&folder("1 2 3", ""), &["--format", "json"]).line();
    assert_eq!(refined["learning_rounds"], serde_json::json!([2, 3]));
    // With a profile, the first round is guided, too.
    let known = "regiontrack profile 1\nruns 1\nsettings\nfield a.B.A1\nend\n";
    let refined = refine(&folder("2", "").with("app.profile", known), &["--clean", "1"]);
    assert!(!refined.stdout.contains("not counted"), "{}", refined.stdout);
    let refined = refine(&folder("1 2", "").with("app.profile", "regiontrack profile 1\nruns 1\nsettings\nend\n"), &[]);
    assert!(
        refined.stdout.contains("not counted as clean, for more was seen to be shared than the profile knew: 1, 2\n"),
        "{}",
        refined.stdout
    );
}

#[test]
fn without_a_run_that_watched_everything_it_is_undecided_that_nothing_was_violated() {
    let known = "regiontrack profile 1\nruns 1\nsettings\nend\n";
    let warning = "# warning: no run watched everything, so that nothing was violated is undecided; see --profile\n";
    for (violates, code) in [("", 2), ("2", 0)] {
        let refined = refine(&folder("", violates).with("app.profile", known), &[]);
        let is_as_expected = refined.code == code && refined.stdout.contains(warning) == (code == 2);
        assert!(is_as_expected, "{violates}: {}", refined.stdout);
    }
}

#[test]
fn rounds_that_never_cease_to_learn_are_stopped_as_incomplete() {
    let refined = refine(&folder("1 2 3 4 5 6 7 8 9", ""), &[]);
    let warning = "# warning: stopped after 9 rounds, as --rounds says; too few clean ones\n";
    assert!(refined.code == 2 && refined.stdout.contains(warning), "{}", refined.stdout);
}

#[test]
fn a_file_that_is_no_profile_and_a_profile_among_the_options_are_refused() {
    let folder = folder("", "").with("app.profile", "no profile");
    let refused = refine(&folder, &[]);
    assert!(refused.code == 2 && refused.stderr.contains("app.profile"), "{}", refused.stderr);
    let refused = refine(&folder, &["--options", "profile=x"]);
    assert!(
        refused.code == 2 && refused.stderr.contains("--options profile=: each run gets its own"),
        "{}",
        refused.stderr
    );
}

/// A report of a run that was to watch classes that there are not.
const NOTHING_WATCHED: &str =
    r#"{"verdict":"undecided","violations":[],"stats":{"blocks":0},"warnings":["no class was watched: include=x"]}"#;

#[test]
fn runs_in_which_no_block_was_judged_are_no_answer() {
    let some = NOTHING_WATCHED.replace(r#""blocks":0"#, r#""blocks":1"#);
    let folder = Folder::new().with("agent", "").with("none", NOTHING_WATCHED).with("some", some);
    let refine = |script: &str| folder.run(&["refine", "--agent", "agent", "--", "sh", "-c", script]);
    let refined = refine("cp none \"$REGIONTRACK_REPORT\"");
    let warnings = "# warning: no class was watched: include=x\n# warning: there was no block to judge, ";
    assert!(refined.code == 2 && refined.stdout.contains(warnings), "{}", refined.stdout);
    // A build tool's own JVM may have none, and so may the rounds after the first.
    let refined =
        refine("cp none \"$REGIONTRACK_REPORT.json\"; [ -e second ] || cp some \"$REGIONTRACK_REPORT\"; touch second");
    assert!(refined.code == 0 && !refined.stdout.contains("no block to judge"), "{}", refined.stdout);
}

#[test]
fn suppressions_are_refused_and_those_of_the_environment_left_out() {
    let folder = Folder::new().with("agent", "").with("some", NOTHING_WATCHED.replace("0}", "1}"));
    let script = "[ -z \"$REGIONTRACK_SUPPRESSIONS\" ] && cp some \"$REGIONTRACK_REPORT\"";
    let refine = |options: &[&str]| {
        let words = [&["refine", "--agent", "agent"], options, &["--", "sh", "-c", script]].concat();
        let ran = folder.command(&words).env("REGIONTRACK_SUPPRESSIONS", "all").output().expect("the command runs");
        (ran.status.code(), String::from_utf8(ran.stderr).expect("output in UTF-8"))
    };
    let (code, said) = refine(&[]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = refine(&["--options", "arrays=all,suppressions=all"]);
    assert!(code == Some(2) && said.contains("--options suppressions=: "), "{said}");
}
