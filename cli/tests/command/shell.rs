//! Completions and pages for `man`, which have all that the help has.

use std::path::Path;
use std::process::Command;

fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_regiontrack")).args(arguments).output().expect("the command runs");
    (output.status.code(), String::from_utf8(output.stdout).expect("text"))
}

/// The commands, as the help lists them.
fn commands() -> Vec<String> {
    let (_, help) = run(&["--help"]);
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = lines.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}

#[test]
fn every_shell_gets_every_command_and_its_options() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let (code, script) = run(&["completions", shell]);
        assert_eq!(code, Some(0), "{shell}");
        for command in commands() {
            assert!(script.contains(&command), "{shell} lacks {command}");
        }
        assert!(script.contains("suppressions"), "{shell} lacks options");
    }
    assert_eq!(run(&["completions", "tcsh"]).0, Some(2));
}

#[test]
fn bash_takes_its_completions() {
    let (_, script) = run(&["completions", "bash"]);
    let asked =
        "COMP_WORDS=(regiontrack che); COMP_CWORD=1; _regiontrack regiontrack che regiontrack; echo ${COMPREPLY[@]}";
    let output = Command::new("bash").arg("-c").arg(format!("{script}\n{asked}")).output().expect("bash runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "check", "{output:?}");
}

#[test]
fn there_is_a_page_for_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man1");
    assert_eq!(run(&["man", pages.to_str().expect("UTF-8")]).0, Some(0));
    let page = |name: &str| {
        let path: &Path = &pages.join(format!("{name}.1"));
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    assert!(page("regiontrack").contains(".TH"));
    for command in commands().iter().filter(|command| *command != "help") {
        assert!(page(&format!("regiontrack-{command}")).contains(".TH"), "{command}");
    }
    assert!(page("regiontrack-baseline-update").contains("prune"));
}
