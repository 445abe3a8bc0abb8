//! Options: their sources, what is rejected, and the messages.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use analysis_core::spec::Method;

use super::table::OPTIONS;
use super::*;

fn refused(agent: &str) -> String {
    Options::parse(agent, &[]).expect_err("refused")
}

#[test]
fn an_unknown_key_names_the_nearest_and_a_bad_value_what_is_expected() {
    assert_eq!(refused("recrod=x"), "agent options: unknown option 'recrod'; did you mean record?");
    assert_eq!(refused("xyzzy=1"), "agent options: unknown option 'xyzzy'; help lists them");
    assert_eq!(refused("arrays=some"), "agent options: arrays=some: expected refs, all or none");
    assert_eq!(refused("exitcode=256"), "agent options: exitcode=256: expected a number from 0 to 255");
    assert_eq!(refused("record"), "agent options: option 'record' has no value; write record=FILE");
    assert_eq!(refused("spec="), "agent options: spec=: expected a file");
    assert!(refused("engine=rech").starts_with("agent options: engine=rech: expected "));
}

#[test]
fn both_tables_have_the_same_options_in_the_same_order() {
    let names: Vec<&str> = OPTIONS.iter().map(|option| option.name).collect();
    let known: Vec<&str> = options::OPTIONS.iter().map(|option| option.name).collect();
    assert_eq!(names, known);
}

#[test]
fn files_that_cannot_be_read_or_written_are_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("none");
    let inside = missing.join("file");
    for (key, path, what) in [("spec", &missing, "read"), ("config", &missing, "read"), ("report", &inside, "written")]
    {
        let line = refused(&format!("{key}={}", path.display()));
        assert!(line.starts_with(&format!("{key}={}: cannot be {what}: ", path.display())), "{line}");
        assert_eq!(line.lines().count(), 1);
    }
    std::fs::write(&missing, "x\ny\n").expect("written");
    let line = refused(&format!("spec={}", missing.display()));
    assert!(line.contains("none:1: ") && line.contains("(and 1 more: ") && line.lines().count() == 1, "{line}");
}

#[test]
fn the_agents_string_comes_before_properties_the_environment_and_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("config");
    std::fs::write(&config, "# ours\narrays=none\nmax_reports=1\nexitcode=1\nverbose=true\n").expect("written");
    let environment = [
        ("REGIONTRACK_ARRAYS".into(), "all".into()),
        ("REGIONTRACK_EXITCODE".into(), "2".into()),
        ("HOME".into(), "x".into()),
    ];
    let agent = format!("arrays=refs,config={}\nexitcode=3\narrays=none", config.display());
    let options = Options::parse(&agent, &environment).expect("good options");
    let seen = (&*options.arrays, options.exit_code, options.max_reports, options.verbose);
    assert_eq!(seen, ("refs", 3, 1, true));
}

/// Parses options with these report files in a folder: the name of each file, and its format.
fn destinations(names: &[&str], others: &str) -> Vec<(String, &'static str)> {
    let folder = tempfile::tempdir().expect("a folder");
    let reports = names.iter().map(|name| format!("report={},", folder.path().join(name).display()));
    let options = Options::parse(&(reports.collect::<String>() + others), &[]).expect("good options");
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    options.reports.iter().map(|report| (name(&report.path), report.format.name())).collect()
}

#[test]
fn each_report_has_the_format_of_its_name_or_the_one_that_is_asked_for() {
    let own = |list: &[(&str, &'static str)]| -> Vec<(String, &'static str)> {
        list.iter().map(|(name, format)| ((*name).to_owned(), *format)).collect()
    };
    let names = ["a.html", "b.sarif", "c.sarif.json", "d.xml", "e.md", "f.json", "g.txt", "h"];
    let formats = ["html", "sarif", "sarif", "junit", "markdown", "json", "text", "text"];
    let all: Vec<(&str, &str)> = names.into_iter().zip(formats).collect();
    assert_eq!(destinations(&names, ""), own(&all));
    assert_eq!(
        destinations(&["a.html", "b.txt", "c"], "format=github"),
        own(&[("a.html", "html"), ("b.txt", "github"), ("c", "github")])
    );
    // A single file gets the format that is asked for.
    assert_eq!(destinations(&["a.html"], "format=json"), own(&[("a.html", "json")]));
    assert_eq!(destinations(&["a.html"], ""), own(&[("a.html", "html")]));
    let of_error_stream = |agent: &str| Options::parse(agent, &[]).expect("good options").format.name();
    assert_eq!((of_error_stream(""), of_error_stream("format=markdown")), ("text", "markdown"));
    assert!(refused("format=yaml").starts_with("agent options: format=yaml: expected text, json, html, "));
}

#[test]
fn the_strongest_source_that_names_reports_names_all_of_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(at("config"), format!("report={}\nreport={}\n", at("c1"), at("c2"))).expect("written");
    let environment = [("REGIONTRACK_REPORT".to_owned(), at("e"))];
    let names = |agent: &str, environment: &[(String, String)]| -> Vec<String> {
        let options = Options::parse(agent, environment).expect("good options");
        let name = |report: &Destination| report.path.file_name().expect("a name").to_string_lossy().into_owned();
        options.reports.iter().map(name).collect()
    };
    let config = format!("config={}", at("config"));
    assert_eq!(names(&config, &[]), ["c1", "c2"]);
    assert_eq!(names(&config, &environment), ["e"]);
    let agent = format!("report={},{config},report={}\nreport={}", at("a1"), at("a2"), at("p"));
    assert_eq!(names(&agent, &environment), ["a1", "a2"]);
    assert!(!folder.path().join("p").exists());
}

#[test]
fn an_error_says_where_the_option_stands() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("config");
    std::fs::write(&config, "\nnested=maybe\n").expect("written");
    assert!(
        refused(&format!("config={}", config.display())).contains("config:2: nested=maybe: expected true or false")
    );
    assert!(refused("\nnested=maybe").starts_with("system properties: nested=maybe"));
    let environment = [("REGIONTRACK_RECROD".into(), "x".into())];
    let line = Options::parse("", &environment).expect_err("refused");
    assert_eq!(line, "environment REGIONTRACK_RECROD: unknown option 'recrod'; did you mean record?");
    let foreign = [("REGIONTRACK_CI_MACHINE".into(), "x".into())];
    assert!(Options::parse("", &foreign).is_ok());
}

#[test]
fn class_patterns_are_jacocos() {
    let options = Options::parse("include=com.example.*:org.O?her,exclude=*.gen.*", &[]).expect("good options");
    for (name, is_included) in [
        ("com/example/A", true),
        ("com/example/a/B$C", true),
        ("com/example/gen/B", false),
        ("com/examples/A", false),
        ("org/Other", true),
        ("org/Others", false),
    ] {
        assert_eq!(options.includes(name), is_included, "{name}");
    }
    assert!(Options::parse("", &[]).expect("good options").includes("anything/Else"));
}

#[test]
fn a_class_of_the_platform_is_named_by_more_than_its_package() {
    let options = "include=java.util.Vector:java.util.H*:java.lang.*:*Stack:com.?,exclude=java.util.HashSet*";
    let options = Options::parse(options, &[]).expect("good options");
    for (name, is_named) in [
        ("java/util/Vector", true),
        ("java/util/Vector$Itr", true),
        ("java/util/Hashtable$Entry", true),
        ("java/util/HashSet", false),
        ("java/lang/String", false),
        ("java/util/Vectors", false),
        ("java/util/Stack", false),
        ("com/A", false),
    ] {
        assert_eq!(options.names_class(name), is_named, "{name}");
    }
    assert!(!Options::parse("", &[]).expect("good options").names_class("java/util/Vector"));
    assert!(options.answer().contains("\ninclude=java.util.Vector:java.util.H*:java.lang.*:*Stack:com.?\n"));
}

#[test]
fn methods_are_excluded_from_any_specification_by_every_source_of_options() {
    let folder = tempfile::tempdir().expect("a folder");
    let [config, spec] = ["config", "app.spec"].map(|name| folder.path().join(name));
    std::fs::write(&config, "exclude-method=a.B.d(int,long)\nexclude-method=a.B.e\n").expect("written");
    std::fs::write(&spec, "default\n+ a.B.*\n").expect("written");
    let environment = [("REGIONTRACK_EXCLUDE_METHOD".into(), "a.B.f();a.B.g()".into())];
    let agent = format!(
        "exclude-method=a.B.b(int,java.lang.String[]),exclude-method=a.B.c,config={},spec={}\nexclude-method=a.B.h()",
        config.display(),
        spec.display()
    );
    let options = Options::parse(&agent, &environment).expect("good options");
    let decide = |method: &str| options.spec.decide(&Method::parse(method).expect("a method")).atomic;
    let out = ["b(int,java.lang.String[])", "c(int)", "d(int,long)", "e()", "f()", "g()", "h()"];
    for method in out {
        assert!(!decide(&format!("a.B.{method}")), "{method}");
    }
    assert!(decide("a.B.b(int)") && decide("a.B.f(int)"));
    assert!(refused("exclude-method=a..b").starts_with("agent options: exclude-method=a..b: empty segment"));
}

#[test]
fn help_lists_every_option_but_those_for_tests() {
    let text = refused("help");
    for option in OPTIONS {
        assert_eq!(text.contains(&format!("\n  {}=", option.name)), !option.doc.is_empty(), "{}", option.name);
    }
}

#[test]
fn models_of_libraries_are_in_force_where_their_classes_are_left_out() {
    let libraries = |text: &str| Options::parse(text, &[]).expect("good options").libraries;
    assert_eq!(libraries(""), "");
    assert_eq!(libraries("exclude=com.example.*"), "");
    assert_eq!(libraries("exclude=com.google.*,models=none"), "");
    assert!(libraries("exclude=com.google.*").contains("class com.google.common.cache.Cache\n"));
    assert!(libraries("include=com.example.*").contains("class com.github.benmanes.caffeine.cache.Cache\n"));
}

#[test]
fn the_answer_is_what_the_java_side_reads() {
    let options = Options::parse("arrays=all,keys=false,nested=false,verbose", &[]).expect("good options");
    assert_eq!(
        options.answer(),
        "arrays=all\nfences=false\ninclude=*\ninitializers=apart\nkeys=false\nmode=dependencies\nnested=false\nown=\nown_models=\nreaders=true\nreads=used\nredundant=false\nsample=false\nverbose=true\n"
    );
    let options = Options::parse("nested", &[]).expect("good options");
    assert_eq!(
        options.answer(),
        "arrays=refs\nfences=false\ninclude=*\ninitializers=apart\nkeys=true\nmode=dependencies\nnested=true\nown=\nown_models=\nreaders=true\nreads=used\nredundant=false\nsample=false\nverbose=false\n"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let record = format!("record={}", folder.path().join("run.std").display());
    let options = Options::parse(&record, &[]).expect("good options");
    assert_eq!(
        options.answer(),
        "arrays=refs\nfences=true\ninclude=*\ninitializers=inside\nkeys=true\nmode=stream\nnested=true\nown=\nown_models=\nreaders=true\nreads=used\nredundant=false\nsample=false\nverbose=false\n"
    );
    drop(options);
    let options = Options::parse(&format!("{record},redundant=true"), &[]).expect("good options");
    assert_eq!(
        options.answer(),
        "arrays=refs\nfences=true\ninclude=*\ninitializers=inside\nkeys=true\nmode=stream\nnested=true\nown=\nown_models=\nreaders=true\nreads=used\nredundant=true\nsample=false\nverbose=false\n"
    );
    assert_eq!(refused("redundant"), "redundant=true: there is no trace for it; add record=FILE");
}

#[test]
fn the_users_own_folders_are_handed_over_with_line_breaks_between_them() {
    let options = Options::parse("own=target/classes: lib/own.jar", &[]).expect("good options");
    let answer = options.answer();
    assert!(answer.contains("\nown=target/classes\\nlib/own.jar\n"), "{answer}");
    let of = |value: &str| Options::parse(&format!("sources={value}"), &[]).expect("good options").sources;
    assert_eq!(of("src: lib/src"), Sources::In(vec!["src".into(), "lib/src".into()]));
    assert_eq!(of("none"), Sources::In(Vec::new()));
    assert_eq!(refused("sources=:"), "agent options: sources=:: expected folders, : between them, or none");
    assert_eq!(refused("own=:"), "agent options: own=:: expected folders or jars, : between them");
}

#[test]
fn dependencies_are_enough_unless_the_events_are_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = format!("record={}", folder.path().join("run.std").display());
    let mode = |agent: &str| Options::parse(agent, &[]).expect("good options").mode();
    assert_eq!(mode(""), Mode::Dependencies);
    assert_eq!(mode("mode=stream"), Mode::Stream);
    assert_eq!(mode("engine=velodrome"), Mode::Stream);
    assert_eq!(mode(&record), Mode::Stream);
    assert_eq!(mode("predict=block"), Mode::Stream);
}

#[test]
fn algorithms_have_commas_between_them_as_options_have() {
    let names = |agent: &str| -> Vec<&str> {
        Options::parse(agent, &[]).expect("good options").predict.iter().map(|algorithm| algorithm.name).collect()
    };
    assert_eq!(names("predict=block,reduction,nested=false"), ["block", "reduction"]);
    assert_eq!(names("predict=block,verbose"), ["block"]);
    assert_eq!(names("verbose\npredict=block,reduction"), ["block", "reduction"]);
    assert_eq!(names(""), [""; 0]);
    assert!(refused("predict=block,redction").contains("expected commit-node-conflict, "));
    assert!(refused("predict=").contains("expected commit-node-conflict, "));
    assert_eq!(refused("sections=true"), "sections=true: nothing is predicted; add predict=ALGORITHM,..");
    assert!(refused("slice=4").ends_with("add profile=FILE"));
    let options = Options::parse("predict=block", &[]).expect("good options");
    assert!(options.redundant && options.answer().contains("redundant=true"));
}

#[test]
fn a_part_of_a_run_is_watched_in_dependency_mode_alone() {
    let options = Options::parse("sample=30", &[]).expect("good options");
    assert_eq!(options.sample, Some(30));
    assert!(options.answer().contains("sample=true\n"));
    let range = "expected a number from 1 to 100, without a sign";
    for value in ["0", "101", "ten", "5%"] {
        assert_eq!(refused(&format!("sample={value}")), format!("agent options: sample={value}: {range}"));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let record = format!("record={}", folder.path().join("run.std").display());
    for other in [&*record, "predict=block", "engine=velodrome", "mode=stream"] {
        let line = refused(&format!("sample=5,{other}"));
        assert!(line.starts_with("sample=5: a part of the run is neither recorded "), "{line}");
    }
    assert!(!folder.path().join("run.std").exists());
}

#[test]
fn a_run_that_is_steered_is_watched_whole_by_an_engine_that_answers_at_once() {
    let options = Options::parse("provoke=app.candidates,provoke-share=5", &[]).expect("good options");
    assert_eq!((options.provoke, options.provoke_share), (Some("app.candidates".into()), Some(5)));
    let of_environment = [("REGIONTRACK_PROVOKE_SHARE".to_owned(), "7".to_owned())];
    let options = Options::parse("provoke=app.candidates,mode=stream", &of_environment).expect("good options");
    assert_eq!(options.provoke_share, Some(7));
    let range = "expected a number from 1 to 90, without a sign";
    for value in ["0", "91", "some", "5%"] {
        let line = refused(&format!("provoke=f,provoke-share={value}"));
        assert_eq!(line, format!("agent options: provoke-share={value}: {range}"));
    }
    let tests = Options::parse("provoke=tests,provoke-share=5", &[]).expect("good options");
    assert_eq!((tests.provoke.as_ref(), tests.repeats_tests, tests.mode()), (None, true, Mode::Stream));
    // The stronger source decides, and a file of that name is still possible.
    let property = Options::parse("provoke=./tests\nprovoke=tests", &[]).expect("good options");
    assert_eq!((property.provoke, property.repeats_tests), (Some("./tests".into()), false));
    assert!(refused("provoke=tests,sample=5").ends_with("leave out sample= or provoke="));
    assert!(refused("provoke=tests,replay=f").ends_with("leave out replay= or provoke="));
    assert!(refused("provoke=tests,priorities=1").ends_with("leave out one of them"));
    let tests = Options::parse("provoke=tests,schedules=s", &[]).expect("good options");
    assert_eq!(tests.schedules, Some("s".into()));
    assert!(refused("provoke=tests,engine=velodrome").starts_with("provoke=tests: engine velodrome does not say"));
    assert_eq!(refused("provoke="), "agent options: provoke=: expected a file");
    assert_eq!(refused("provoke-share=20"), "provoke-share=20: no thread is held; add provoke=FILE or priorities=SEED");
    assert!(refused("priorities=3,provoke=f").ends_with("leave out one of them"));
    assert!(Options::parse("priorities=3:1:500,provoke-share=5,engine=velodrome", &[]).is_ok());
    assert!(refused("provoke=f,sample=5").ends_with("leave out sample= or provoke="));
    assert!(refused("replay=f,sample=5").ends_with("leave out sample= or replay="));
    assert!(refused("replay=f,engine=velodrome").starts_with("replay=f: engine velodrome does not say "));
    assert!(refused("replay=f,provoke=g").ends_with("leave out replay= or provoke="));
    assert_eq!(refused("schedules=s"), "schedules=s: nothing is provoked; add provoke=FILE or provoke=tests");
    assert_eq!(refused("provoke-turn=1"), "provoke-turn=1: nothing is provoked; add provoke=FILE");
    assert_eq!(
        refused("provoke=f,provoke-turn=65536"),
        "agent options: provoke-turn=65536: expected a number from 0 to 65535"
    );
    assert_eq!(refused("replay-patience=2"), "replay-patience=2: no schedule is replayed; add replay=FILE");
    assert!(
        refused("provoke=f,engine=velodrome")
            .starts_with("provoke=f: engine velodrome does not say while the program runs")
    );
}

#[test]
fn a_trace_does_not_go_to_standard_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report");
    let line = refused(&format!("report={},record=-", report.display()));
    assert!(
        line.starts_with("agent options: record=-: the program writes its own output there; name a file"),
        "{line}"
    );
    assert!(!report.exists() && !Path::new("-").exists());
}

#[test]
fn a_run_that_stops_at_a_violation_has_a_code_of_its_own() {
    let code = |agent: &str| Options::parse(agent, &[]).expect("good options").violation_code();
    assert_eq!((code(""), code("exitcode=3"), code("halt_on_violation")), (0, 3, 66));
    assert_eq!(code("halt_on_violation=true,exitcode=3"), 3);
    assert!(
        refused("halt_on_violation,engine=velodrome")
            .starts_with("halt_on_violation=true: engine velodrome does not say while the program runs")
    );
}

#[test]
fn what_is_known_of_findings_is_read_at_the_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("good"), "kind:**\n").expect("written");
    std::fs::write(path("bad"), "kind:**\nfild:x\n").expect("written");
    std::fs::write(path("base"), "regiontrack-baseline 1\n").expect("written");
    let options = |agent: &str| Options::parse(agent, &[]).expect("good options");
    assert!(options("").sieve.is_empty());
    assert!(!options(&format!("suppressions={0},suppressions={0}", path("good"))).sieve.is_empty());
    assert!(options(&format!("baseline={}", path("base"))).sieve.baseline.is_some());
    for (agent, words) in [
        (
            format!("suppressions={},suppressions={}", path("good"), path("bad")),
            "bad:2: unknown word 'fild'; expected ",
        ),
        (format!("suppressions={}", path("none")), "none: no such file; expected a line for each, such as "),
        (format!("baseline={}", path("none")), "none: no such file; make it by  regiontrack baseline update "),
        (format!("baseline={}", path("good")), "good:1: no baseline: expected 'regiontrack-baseline 1'"),
        (format!("baseline={},halt_on_violation", path("base")), "halt_on_violation=true: which findings are "),
    ] {
        let line = refused(&agent);
        assert!(line.contains(words) && line.lines().count() == 1, "{line}");
    }
}

/// A string of pieces that mean something to the parser, and of others that do not.
fn any_options(random: &mut Pcg64, folder: &str) -> String {
    const SIGNS: [&str; 14] =
        ["=", ",", "\n", " ", ":", "*", "?", "#", "true", "-1", "999999999999999999999", "ü", "\r", "\0"];
    let mut text = String::new();
    for _ in 0..random.random_range(0..12) {
        match random.random_range(0..20) {
            0 => text.push(random.random_range('\0'..='\u{d7ff}')),
            1 => text.extend(["spec=", folder, ","]),
            2 => text.extend(["report=", folder, "/none/report,"]),
            3..10 => {
                // Other file names would create files in the folder of the tests.
                let option = &OPTIONS[random.random_range(0..OPTIONS.len())];
                text.extend([option.name, if option.value() == options::Value::Word("FILE") { "," } else { "=" }]);
            }
            _ => text.push_str(SIGNS[random.random_range(0..SIGNS.len())]),
        }
    }
    text
}

#[test]
fn any_options_are_accepted_or_rejected_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().to_str().expect("a path of text");
    let (mut taken, mut refused) = (0, 0);
    for seed in 0..20_000 {
        let mut random = Pcg64::seed_from_u64(seed);
        let (agent, value) = (any_options(&mut random, folder), any_options(&mut random, folder));
        let environment = [("REGIONTRACK_".to_owned() + &value.to_uppercase(), value.clone()), ("PATH".into(), value)];
        match Options::parse(&agent, &environment) {
            Ok(options) => {
                taken += 1;
                assert_eq!(options.answer().lines().count(), 14, "seed {seed}: {agent:?}");
            }
            Err(line) => {
                refused += 1;
                assert!(line == help() || line.lines().count() == 1, "seed {seed}: {agent:?}: {line:?}");
            }
        }
    }
    assert!(taken > 500 && refused > 500, "{taken} {refused}");
    assert_eq!(std::fs::read_dir(folder).expect("a folder").count(), 0);
}
