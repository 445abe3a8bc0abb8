//! `regiontrack compare` and `refine`, and what `check` does with filters and several traces at once.

use std::fmt::Write;

use analysis_core::engine::BlameClaim;
use analysis_core::engines::ENGINES;

use crate::runner::{BLAMELESS, CLEAN, Folder, VIOLATED};

/// Three blocks inside each other, the inner two violated by one event, the outer by that and an earlier one.
const NESTED: &str = "\
T0|begin(a.B.outer())|1
T0|r(y)|2
T0|begin(a.B.middle())|3
T0|begin(a.B.inner())|4
T0|r(x)|5
T1|w(x)|6
T0|r(x)|7
T0|end|8
T0|end|9
T0|end|10
";

#[test]
fn engines_are_compared_on_each_trace_with_what_they_miss() {
    let folder = Folder::new().with("a.std", VIOLATED).with("b.std", BLAMELESS).with("c.std", CLEAN);
    let rows = folder.run(&["compare", "--format", "json", "a.std", "b.std", "c.std"]).ended(1).lines();
    assert_eq!(rows.len(), 3 * ENGINES.len());
    for (index, row) in rows.iter().enumerate() {
        let (trace, spec) = (index / ENGINES.len(), &ENGINES[index % ENGINES.len()]);
        assert_eq!((&row["trace"], &row["engine"]), (&["a.std", "b.std", "c.std"][trace].into(), &spec.name.into()));
        let verdict = match trace {
            _ if spec.claim.only_warns() => "undecided",
            2 => "serializable",
            _ => "non-serializable",
        };
        // The blocks of the second stay open.
        if trace != 1 || spec.claim.verdict == analysis_core::engine::VerdictClaim::AtEveryPrefix {
            assert_eq!(row["verdict"], verdict, "{row}");
        }
        assert_eq!(row["missed"].is_null(), spec.claim.blame == BlameClaim::Silent, "{row}");
        if spec.claim.blame == BlameClaim::Exact {
            let violated = u64::from(trace == 0);
            assert_eq!(row["dynamic_violations"], violated, "{row}");
            assert_eq!(row["distinct_violations"], violated, "{row}");
            assert_eq!((&row["missed"], &row["extra"]), (&0.into(), &0.into()), "{row}");
        }
        assert!(row["peak_bytes"].is_u64() && row["seconds"].is_f64(), "{row}");
    }
}

/// What docs/evaluation.md says of them.
#[test]
fn the_examples_of_differences_between_engines_show_them() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/differences/");
    for (trace, engine, missed, extra) in
        [("missed.std", "velodrome", 1, 0), ("blamed-without-reason.std", "doublechecker", 0, 1)]
    {
        let path = format!("{examples}{trace}");
        let rows = Folder::new().run(&["compare", "--format", "json", &path]).ended(1).lines();
        for row in rows.iter().filter(|row| !row["missed"].is_null() && row["engine"] != "atomizer") {
            let expected = if row["engine"] == engine { (missed, extra) } else { (0, 0) };
            assert_eq!((&row["missed"], &row["extra"]), (&expected.0.into(), &expected.1.into()), "{row}");
            assert_eq!(row["verdict"], "non-serializable", "{row}");
        }
    }
}

#[test]
fn the_table_of_a_comparison_has_a_line_for_each_engine_and_fits_what_the_engines_say() {
    let folder = Folder::new().with("a.std", VIOLATED);
    let table = folder.run(&["compare", "--engine", "reach,oracle", "--repeat", "2", "a.std"]).ended(1).stdout.clone();
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines.len(), 3, "{table}");
    assert_eq!(lines[0][..4], ["trace", "engine", "events", "verdict"]);
    for (line, engine) in lines[1..].iter().zip(["reach", "oracle"]) {
        assert_eq!(line[..9], ["a.std", engine, "5", "non-serializable", "4", "1", "1", "0", "0"], "{table}");
    }
}

#[test]
fn an_engine_that_misses_is_measured_by_the_one_that_is_named() {
    let folder = Folder::new().with("a.std", VIOLATED);
    let silent = folder.run(&["compare", "--engine", "reach", "--against", "aerodrome", "--format", "json", "a.std"]);
    let row = &silent.ended(1).lines()[0];
    assert_eq!((&row["missed"], &row["extra"]), (&0.into(), &1.into()));
    folder
        .run(&["compare", "--against", "nobody", "a.std"])
        .failed_with(folder.run(&["check", "--engine", "nobody", "a.std"]).stderr.trim_end());
}

#[test]
fn refinement_takes_violated_methods_out_from_the_inside_until_two_rounds_are_clean() {
    let folder = Folder::new().with("a.std", NESTED).with("b.std", VIOLATED);
    let ran = folder.run(&["refine", "--trace", "a.std", "b.std"]);
    let expected = "\
# Refined by regiontrack, engine reach, from a.std, b.std
#
# round  dynamic violations  methods violated  taken out  in all
#     1                   4                 4          2       2
#     2                   2                 2          1       3
#     3                   1                 1          1       4
#     4                   0                 0          0       4
#     5                   0                 0          0       4
#
default
- a.B.c  # round 1: 1 violation
- a.B.inner()  # round 1: 1 violation
- a.B.middle()  # round 2: 1 violation
- a.B.outer()  # round 3: 1 violation
";
    assert_eq!(ran.ended(0).stdout, expected);
    let folder = folder.with("refined.spec", expected);
    // It takes out every block of these.
    let said = folder.run(&["check", "--spec", "refined.spec", "a.std", "b.std"]).ended(2).stdout.clone();
    assert_eq!(said.matches("0 of 0 blocks violated").count(), 2, "{said}");
    let again = folder.run(&["refine", "--spec", "refined.spec", "--trace", "a.std", "b.std"]);
    // Nothing is left that could be violated, which is no answer either.
    assert!(again.ended(2).stdout.ends_with(&expected[expected.find("default").expect("rules")..]));
}

#[test]
fn a_refinement_that_begins_without_a_block_has_no_answer() {
    let none = "T0|fork(T1)|1\nT0|r(x)|2\nT1|w(x)|3\n";
    let folder = Folder::new().with("none.std", none).with("a.std", CLEAN).with("empty.spec", "# nothing\n");
    let warning = "# warning: there was no block to judge, as nothing ran that is atomic by the specification: \
                   what is violated is undecided\n";
    for arguments in [&["none.std"][..], &["a.std", "--spec", "empty.spec"]] {
        let refined = folder.run(&[&["refine", "--trace"], arguments].concat()).ended(2).stdout.clone();
        assert!(refined.contains(warning), "{refined}");
    }
    // A trace without a block does not count beside others.
    let refined = folder.run(&["refine", "--trace", "none.std", "a.std"]).ended(0).stdout.clone();
    assert!(!refined.contains("warning"), "{refined}");
}

#[test]
fn what_a_refinement_would_not_look_at_is_refused() {
    let folder = Folder::new().with("a.std", CLEAN);
    for option in [["--agent", "none.jar"], ["--options", "include=x"], ["--profile", "p"], ["--jobs", "2"]] {
        let ran = folder.run(&[&["refine", "--trace", "a.std"], &option[..]].concat());
        let says = ["cannot be used with", option[0]].iter().all(|words| ran.stderr.contains(words));
        assert!(ran.code == 2 && says && ran.stdout.is_empty(), "{option:?}: {}", ran.stderr);
    }
    for option in [&["--lenient"][..], &["--from", "std"]] {
        let ran = folder.run(&[&["refine"], option, &["--", "true"]].concat());
        let says = ["cannot be used with", option[0]].iter().all(|words| ran.stderr.contains(words));
        assert!(ran.code == 2 && says, "{option:?}: {}", ran.stderr);
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_what_is_refined() {
    let marked = |text: &str| format!("\u{feff}{text}");
    let folder = Folder::new().with("a.std", marked(VIOLATED)).with("a.spec", marked("default\n"));
    let refined = folder.run(&["refine", "--spec", "a.spec", "--trace", "a.std"]).ended(0).stdout.clone();
    assert!(refined.contains("\ndefault\n- a.B.c  #"), "{refined}");
    folder.with("b.spec", refined).run(&["spec", "--check", "b.spec"]).ended(0);
}

#[test]
fn refinement_in_one_run_takes_out_the_same_methods() {
    let folder = Folder::new().with("a.std", NESTED);
    let taken = |arguments: &[&str]| -> Vec<String> {
        let refined = folder.run(&[arguments, &["--format", "json"]].concat()).ended(0).line();
        let mut methods: Vec<String> =
            refined["taken_out"].as_array().expect("a list").iter().map(|taken| taken["rule"].to_string()).collect();
        methods.sort();
        methods
    };
    let by_rounds = taken(&["refine", "--trace", "a.std"]);
    assert_eq!(by_rounds.len(), 3);
    assert_eq!(taken(&["refine", "--nested", "--trace", "a.std"]), by_rounds);
    assert_eq!(taken(&["refine", "--outermost", "--trace", "a.std"]), by_rounds);
    let one = folder.run(&["refine", "--format", "json", "--nested", "--trace", "a.std"]).ended(0).line();
    assert_eq!(one["rounds"].as_array().expect("a list").len(), 3, "{one}");
}

#[test]
fn refinement_from_the_outside_takes_callers_out_first() {
    let folder = Folder::new().with("a.std", NESTED);
    let refined = folder.run(&["refine", "--outermost", "--clean", "1", "--trace", "a.std"]).ended(0).stdout.clone();
    let rules = "default\n- a.B.outer()  # round 1: 1 violation\n- a.B.middle()  # round 2: 1 violation\n- a.B.inner()  # round 3: 1 violation\n";
    assert!(refined.ends_with(rules) && refined.contains("#     4  "), "{refined}");
}

#[test]
fn rounds_that_are_not_enough_make_the_result_incomplete() {
    let folder = Folder::new().with("a.std", NESTED);
    let refined = folder.run(&["refine", "--rounds", "2", "--trace", "a.std"]).ended(2).stdout.clone();
    let warning = "# warning: stopped after 2 rounds, as --rounds says; methods were still violated in the last";
    assert!(refined.contains(warning), "{refined}");
}

#[test]
fn blocks_without_a_method_are_taken_out_by_label_or_as_unlabelled() {
    let trace = VIOLATED.replace("begin(a.B.c)", "begin");
    let folder = Folder::new().with("a.std", trace.as_str()).with("b.std", trace.replace("begin", "begin(12)"));
    let refined = folder.run(&["refine", "--trace", "a.std", "b.std"]).ended(0).stdout.clone();
    assert!(
        refined.ends_with("default\n- flag:unlabelled  # round 1: 1 violation\n- label:12  # round 1: 1 violation\n"),
        "{refined}"
    );
    let folder = folder.with("refined.spec", refined);
    let said = folder.run(&["check", "--spec", "refined.spec", "a.std", "b.std"]).ended(2).stdout.clone();
    assert_eq!(said.matches("0 of 0 blocks violated").count(), 2, "{said}");
}

#[test]
fn refinement_says_what_stays_and_refuses_engines_that_do_not_blame_exactly() {
    let folder = Folder::new().with("a.std", BLAMELESS);
    let refined = folder.run(&["refine", "--trace", "a.std"]).ended(1).stdout.clone();
    assert!(refined.contains("# 1 execution still non-serializable, and no block to blame for it\n"), "{refined}");
    let said = "regiontrack: engine aerodrome does not blame exactly; expected one of reach, regiontrack, oracle";
    folder.run(&["refine", "--engine", "aerodrome", "--trace", "a.std"]).failed_with(said);
    folder
        .run(&["refine", "--trace", "none.std"])
        .failed_with("regiontrack: none.std: no such file; expected a trace, or - for standard input");
}

#[test]
fn filters_leave_the_answer_alone_and_say_what_they_saved() {
    let trace = "T0|begin(m)|1\nT0|r(x)|2\nT0|r(x)|3\nT0|w(mine)|4\nT0|w(mine)|5\nT1|w(x)|6\nT0|r(x)|7\nT0|end|8\n";
    let folder = Folder::new().with("a.std", trace);
    let plain = folder.json(&["a.std"]).ended(1).line();
    let filtered = folder.json(&["--filter", "segment,local", "a.std"]).ended(1).line();
    for key in ["verdict", "first_event", "events", "violations"] {
        assert_eq!(plain[key], filtered[key], "{key}");
    }
    assert_eq!(plain["filters"], serde_json::Value::Null);
    let dropped: Vec<u64> = filtered["filters"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|saved| saved["dropped"]["accesses"].as_u64().expect("a number"))
        .collect();
    assert_eq!(dropped, [2, 1]);
    let text = folder.run(&["check", "--filter", "local", "a.std"]).ended(1).stdout.clone();
    let said = "  filter local: 2 of 6 accesses dropped (33.3 %), 0 of 0 acquires and releases (0.0 %)\n";
    assert!(text.contains(said), "{text}");
    folder
        .run(&["check", "--filter", "segments", "a.std"])
        .failed_with("regiontrack: unknown filter 'segments'; did you mean segment? (filters: segment, local, edges)");
}

#[test]
fn traces_that_are_analysed_at_once_are_printed_in_their_order() {
    let mut folder = Folder::new();
    let mut names = Vec::new();
    for number in 0..12 {
        // The first takes longest.
        let mut trace = String::from(if number % 3 == 0 { VIOLATED } else { CLEAN });
        (0..(12 - number) * 500).for_each(|line| _ = writeln!(trace, "T2|w(z{})|{line}", line % 7));
        let name = format!("{number}.std");
        folder = folder.with(&name, trace);
        names.push(name);
    }
    let folder = folder.with("bad.std", "T0|what|1\n");
    names.insert(5, "bad.std".into());
    names.insert(8, "none.std".into());
    let run = |jobs: &str| {
        let mut arguments = vec!["check", "--format", "json", "--jobs", jobs];
        arguments.extend(names.iter().map(String::as_str));
        folder.run(&arguments)
    };
    let one = run("1");
    assert_eq!((one.code, one.lines().len()), (2, 12));
    for jobs in ["0", "3", "64"] {
        let several = run(jobs);
        assert_eq!((several.code, &several.stdout, &several.stderr), (one.code, &one.stdout, &one.stderr), "{jobs}");
    }
}

#[test]
fn nothing_is_drawn_where_nobody_looks() {
    let mut trace = String::new();
    (0..200_000).for_each(|line| _ = writeln!(trace, "T{}|w(z{})|{line}", line % 3, line % 70_001));
    let folder = Folder::new().with("long.std", trace);
    assert_eq!(folder.run(&["check", "long.std"]).stderr, "");
}

#[test]
fn engines_are_measured_on_generated_executions_and_on_recorded_ones() {
    let folder = Folder::new().with("a.std", VIOLATED);
    let long: Vec<&str> = ENGINES.iter().filter(|spec| spec.most_events.is_none()).map(|spec| spec.name).collect();
    let measure = |arguments: &[&str]| {
        folder.run(&[&["bench", "--repeat", "1", "--format", "json"], arguments].concat()).ended(0).lines()
    };
    let rows = measure(&["--events", "10000,20000", "--threads", "1,3"]);
    assert_eq!(rows.len(), 4 * long.len());
    for (index, row) in rows.iter().enumerate() {
        assert_eq!(row["engine"], long[index % long.len()]);
        let (events, threads) = ([10_000, 20_000][index / long.len() / 2], [1, 3][index / long.len() % 2]);
        assert_eq!(row["events"], events, "{row}");
        assert_eq!(row["execution"], format!("generated, {threads} threads"));
        assert!(row["nanoseconds_per_event"].as_f64().is_some_and(|time| time > 0.0), "{row}");
    }
    let rows = measure(&["--engine", "reach", "a.std"]);
    assert_eq!((rows.len(), &rows[0]["execution"], &rows[0]["events"]), (1, &"a.std".into(), &5.into()));
    let kept = measure(&["--engine", "reach,velodrome", "--memory"]);
    assert_eq!(kept.len(), 2);
    assert!(kept.iter().all(|row| row["bytes_per_variable"].as_f64().is_some_and(|bytes| bytes >= 8.0)), "{kept:?}");
    folder
        .run(&["bench", "--engine", "oracle"])
        .failed_with("regiontrack: engine oracle takes no long traces; expected others");
}
