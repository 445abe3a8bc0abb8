//! `regiontrack profile`.

use std::process::Stdio;

use crate::runner::Folder;

const CACHE: &str = "\
regiontrack profile 1
runs 7
settings arrays=refs nested=exact
array com.acme.Cache.table
block com.acme.Cache.get(Ljava/lang/String;)I
block com.acme.Cache.put\\u0020it()V
class com.acme.Cache 0123456789abcdef java.lang.Object fields=3 arrays=2 calls=4 monitors=1 blocks=5
class com.acme.Cache 1123456789abcdef java.lang.Object fields=2 arrays=9 calls=0 monitors=1 blocks=5
class com.acme.Cache$Entry 0123456789abcdef java.lang.Object fields=1 arrays=0 calls=0 monitors=0 blocks=0
field com.acme.Cache$Entry.next
field com.acme.Cache.size
locks
monitor com.acme.Cache
end
";

fn folder() -> Folder {
    Folder::new().with("p.profile", CACHE)
}

fn content(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).expect("a file")
}

#[test]
fn a_profile_is_shown_by_class() {
    let shown = "\
p.profile: what threads were seen to share in 7 runs
  settings       arrays=refs nested=exact
  classes        2
  fields         2 of 4
  blocks         2 of 5
  arrays         1 (accessed in 9 places)
  calls          0 (of 4 places)
  monitors       1 (of 1 places)
  library locks  shared

  com.acme.Cache
    array com.acme.Cache.table
    block com.acme.Cache.get(Ljava/lang/String;)I
    block com.acme.Cache.put\\u0020it()V
    field com.acme.Cache.size
    monitor com.acme.Cache

  com.acme.Cache$Entry
    field com.acme.Cache$Entry.next
";
    assert_eq!(folder().run(&["profile", "show", "p.profile"]).ended(0).stdout, shown);
}

#[test]
fn a_profile_is_one_line_of_json() {
    let line = folder().run(&["profile", "show", "--format", "json", "p.profile"]).ended(0).line();
    assert_eq!((&line["schema"], &line["profile"]), (&1.into(), &"p.profile".into()));
    assert_eq!((&line["runs"], &line["settings"]), (&7.into(), &"arrays=refs nested=exact".into()));
    assert_eq!((&line["classes"], &line["all"]["fields"], &line["all"]["arrays"]), (&2.into(), &4.into(), &9.into()));
    let facts = line["facts"].as_array().expect("a list");
    assert_eq!(facts.len(), 7);
    let block = serde_json::json!({"kind": "block", "class": "com.acme.Cache", "text": "com.acme.Cache.put it()V"});
    assert!(facts.contains(&block) && facts.contains(&serde_json::json!({"kind": "locks"})), "{line}");
}

#[test]
fn what_cannot_be_shown_is_said_and_the_rest_is_shown() {
    let ran = folder().with("broken", "x\n").run(&["profile", "show", "broken", "none", "p.profile"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stdout.starts_with("p.profile: "), "{}", ran.stdout);
    assert_eq!(
        ran.stderr,
        "regiontrack: broken: is no profile: expected 'regiontrack profile 1' as its first line\n\
         regiontrack: none: no such file; expected a profile, as the agent writes it with profile=FILE\n"
    );
}

#[test]
fn profiles_are_merged_into_a_file_that_may_be_one_of_them_or_no_profile() {
    let other = CACHE.replace("runs 7", "runs 9").replace("com.acme.Cache.size", "com.acme.Other.size");
    let folder = folder().with("q.profile", other).with("out", "<<<<<<< HEAD\n");
    for out in ["p.profile", "out", "new/out"] {
        folder.run(&["profile", "merge", "p.profile", "q.profile", "-o", out]).ended(0);
        let merged = content(&folder, out);
        assert!(merged.contains("\nruns 9\n"), "{merged}");
        assert!(merged.contains("com.acme.Cache.size\nfield com.acme.Other.size\n"), "{merged}");
    }
    let folder = folder.with("r.profile", CACHE.replace("nested=exact", "nested=false"));
    folder.run(&["profile", "merge", "q.profile", "r.profile", "-o", "q.profile"]).failed_with(
        "regiontrack: r.profile: its runs watched 'arrays=refs nested=false', the others 'arrays=refs nested=exact'; \
         merge only profiles of runs with the same settings",
    );
}

#[test]
fn classes_are_dropped_with_the_facts_of_their_members() {
    let folder = folder();
    let ran = folder.run(&["profile", "drop", "p.profile", "--class", "com.acme.Cache", "--fact", "locks"]);
    assert_eq!(ran.ended(0).stdout, "p.profile: 1 class and 6 facts dropped\n");
    let left = "\
regiontrack profile 1
runs 7
settings arrays=refs nested=exact
class com.acme.Cache$Entry 0123456789abcdef java.lang.Object fields=1 arrays=0 calls=0 monitors=0 blocks=0
field com.acme.Cache$Entry.next
end
";
    assert_eq!(content(&folder, "p.profile"), left);
    let ran = folder.run(&["profile", "drop", "p.profile", "--class", "org.*:com.acme.*Entr?"]);
    assert_eq!(ran.ended(0).stdout, "p.profile: 1 class and 1 fact dropped\n");
}

#[test]
fn what_is_not_there_cannot_be_dropped() {
    let folder = folder();
    for (arguments, message) in [
        (&["--class", "com.acme.Cash"], "no class matches 'com.acme.Cash'"),
        (
            &["--fact", "field com.acme.Cache.put it()V"],
            "'field com.acme.Cache.put it()V': 'com.acme.Cache.put it()V' is no name; write white space, control characters and backslashes as \\uXXXX",
        ),
        (&["--fact", "field com.acme.Cache.no"], "no fact 'field com.acme.Cache.no'"),
    ] {
        let ran = folder.run(&[&["profile", "drop", "p.profile"], &arguments[..]].concat());
        ran.failed_with(&format!("regiontrack: p.profile: {message}; regiontrack profile show lists what is there"));
    }
    folder.run(&["profile", "drop", "none/p.profile", "--class", "*"]).failed_with(
        "regiontrack: none/p.profile: no such file; expected a profile, as the agent writes it with profile=FILE",
    );
    assert_eq!(folder.run(&["profile", "drop", "p.profile"]).code, 2);
    assert_eq!(content(&folder, "p.profile"), CACHE);
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn what_several_processes_change_at_once_is_all_changed() {
    let facts: Vec<String> = (0..12).map(|number| format!("field com.acme.Cache.x{number}")).collect();
    let text = CACHE.replace("locks\n", &format!("{}\nlocks\n", facts.join("\n")));
    let folder = Folder::new().with("p.profile", text);
    let drop = |fact: &String| {
        let mut command = folder.command(&["profile", "drop", "p.profile", "--fact", fact]);
        command.stdout(Stdio::null()).spawn().expect("the command runs")
    };
    let running: Vec<_> = facts.iter().map(drop).collect();
    for mut process in running {
        assert!(process.wait().expect("it ends").success());
    }
    assert_eq!(content(&folder, "p.profile"), CACHE);
}
