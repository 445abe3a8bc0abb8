//! What the command tells about itself: help, engines, specifications.

use crate::runner::Folder;
use analysis_core::engines::{ENGINES, default};
use analysis_core::spec::DEFAULT_TEXT;

#[test]
fn help_names_the_commands_and_the_exit_codes() {
    let folder = Folder::new();
    for arguments in [&["--help"][..], &["help"], &["-h"]] {
        let help = folder.run(arguments).ended(0).stdout.clone();
        for word in [
            "check",
            "explain",
            "minimize",
            "engines",
            "spec",
            "Exit codes:",
            "0  nothing",
            "1  some block",
            "2  an error",
        ] {
            assert!(help.contains(word), "{arguments:?}: {word} is missing in\n{help}");
        }
    }
    for command in ["check", "explain", "minimize", "engines", "spec"] {
        let help = folder.run(&[command, "--help"]).ended(0).stdout.clone();
        assert!(help.contains(&format!("Usage: regiontrack {command}")), "{help}");
    }
    let help = folder.run(&["check", "--help"]).ended(0).stdout.clone();
    for word in ["--engine", "--spec", "--format", "--lenient", "--max-reports", "Exit codes:"] {
        assert!(help.contains(word), "{word} is missing in\n{help}");
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    let ran = Folder::new().run(&["--version"]);
    assert_eq!(ran.ended(0).stdout, format!("regiontrack {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn engines_are_listed_with_what_they_decide_their_claim_and_their_source() {
    let list = Folder::new().run(&["engines"]).ended(0).stdout.clone();
    for engine in ENGINES {
        let mark = if engine.name == default().name { " (default)" } else { "" };
        let entry = format!("{}{mark}\n  {}\n  claim:  {}\n", engine.name, engine.summary, engine.claim);
        assert!(list.contains(&entry), "{list}");
        assert!(list.contains(&format!("  source: {}\n", engine.source)), "{list}");
        let limit = engine.most_events.map(|most| format!("  limit:  traces of at most {most} events\n"));
        assert!(limit.is_none_or(|limit| list.contains(&limit)), "{list}");
    }
}

#[test]
fn the_default_specification_is_printed_as_it_is_and_is_one() {
    let folder = Folder::new();
    let printed = folder.run(&["spec", "--default"]).ended(0).stdout.clone();
    assert_eq!(printed, DEFAULT_TEXT);
    let rules = printed.lines().filter(|line| line.starts_with(['+', '-'])).count();
    let ran = folder.with("default.spec", printed).run(&["spec", "--check", "default.spec"]);
    assert_eq!(ran.ended(0).stdout, format!("default.spec: {rules} rules\n"));
}

#[test]
fn a_specification_is_checked_with_its_warnings() {
    let folder = Folder::new().with("a", "- a.B.c\n+ **\n").with("one", "+ **\n").with("none", "");
    assert_eq!(
        folder.run(&["spec", "--check", "a"]).ended(0).stdout,
        "a: 2 rules\nwarning: a:1: '- a.B.c' never decides: '+ **' on line 2 matches every method and the last match \
         wins; move it below line 2\n"
    );
    assert_eq!(folder.run(&["spec", "--check", "one"]).ended(0).stdout, "one: 1 rule\n");
    assert_eq!(folder.run(&["spec", "--check", "none"]).ended(0).stdout, "none: 0 rules\n");
}

#[test]
fn a_method_is_matched_with_the_line_that_decides() {
    let folder = Folder::new().with("s", "# all\n+ com.example.**\n\n- **.get(java.lang.Object)\n");
    for (method, answer) in [
        ("com.example.Cache.put(int)", "atomic: s:2: + com.example.**"),
        ("com.example.Cache.get(java.lang.Object)", "not atomic: s:4: - **.get(java.lang.Object)"),
        ("com/example/Cache.get(Ljava/lang/Object;)V", "not atomic: s:4: - **.get(java.lang.Object)"),
        ("org.other.Cache.put(int)", "not atomic: no rule matches it"),
    ] {
        assert_eq!(folder.run(&["spec", "--match", "s", method]).ended(0).stdout, format!("{answer}\n"));
    }
    folder
        .run(&["spec", "--match", "s", "get"])
        .failed_with("regiontrack: 'get' is no method: no dot between class and method; write package.Class.method");
}

#[test]
fn a_list_of_exclusions_is_read_as_it_is_and_imported() {
    let folder = Folder::new()
        .with("sor.txt", "# Sor\nLsor/Sor;.main ([Ljava/lang/String;)V:31(0)\nLsor/Odd;.run ()V:171(0))\n")
        .with("app.spec", "+ **\n");
    let warning = "sor.txt:3: ')' after the entry is ignored; remove it";
    let imported = folder.run(&["spec", "--import", "sor.txt"]);
    assert_eq!(imported.code, 0);
    assert_eq!(imported.stdout, "+ **\n# Sor\n- sor.Sor.main(java.lang.String[])\n- sor.Odd.run()\n");
    assert_eq!(imported.stderr, format!("regiontrack: warning: {warning}\n"));
    let checked = folder.run(&["spec", "--check", "sor.txt"]);
    assert_eq!(checked.ended(0).stdout, format!("sor.txt: 3 rules\nwarning: {warning}\n"));
    let matched = folder.run(&["spec", "--match", "sor.txt", "sor.Odd.run()"]);
    assert_eq!(matched.ended(0).stdout, "not atomic: sor.txt:3: Lsor/Odd;.run ()V:171(0))\n");
    folder.run(&["spec", "--import", "app.spec"]).failed_with(
        "regiontrack: app.spec: no list of exclusions; expected lines like Lpkg/C;.method (I)V:12(0) or \
         pkg/C.method(I)V",
    );
}
